import Imaging

extension Box {
    /// The same box on a page drawn `factor` times as large.
    func scaled(by factor: Double) -> Box {
        Box(left: left * factor, top: top * factor, right: right * factor, bottom: bottom * factor)
    }
}

extension RecognizedItem {
    /// The same item on a page drawn `factor` times as large.
    package func scaled(by factor: Double) -> RecognizedItem {
        var item = self
        item.box = box.scaled(by: factor)
        return item
    }
}

extension Contact {
    /// The same contact on a page drawn `factor` times as large.
    package func scaled(by factor: Double) -> Contact {
        func scaled<Value>(_ reading: Reading<Value>) -> Reading<Value> {
            var reading = reading
            reading.box = reading.box?.scaled(by: factor)
            return reading
        }
        var contact = self
        contact.names = names.map(scaled)
        contact.organisation = organisation.map(scaled)
        contact.title = title.map(scaled)
        contact.phones = phones.map(scaled)
        contact.emails = emails.map(scaled)
        contact.urls = urls.map(scaled)
        contact.address = address.map(scaled)
        return contact
    }
}
