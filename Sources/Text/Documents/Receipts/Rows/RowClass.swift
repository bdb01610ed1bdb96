/// What a row of a receipt is for. The order is that of the row model's outputs.
package enum RowClass: Int, CaseIterable, Sendable {
    /// None of the others.
    case other
    /// A trade name, a logo or a branch: it tells who sells, but is not the seller's name itself.
    case brand
    /// The seller's name.
    case name
    /// A row of the seller's address.
    case address
    /// The seller's registration and tax numbers.
    case registration
    /// Telephone, fax, mail, web.
    case contact
    /// Who bought: name and address of the customer.
    case customer
    /// The heading: kind of document, date, place in the shop, cashier, number.
    case heading
    /// The captions of the items' columns.
    case columns
    /// A thing bought, with its amount.
    case item
    /// A further row of a thing bought: its name, its quantity, its code.
    case itemPart
    /// A deduction from the sum.
    case discount
    /// The sum before tax or before discount.
    case subtotal
    /// A sum on the way to the total: before rounding, before the tip.
    case sum
    /// Tax, where it is part of the sums.
    case tax
    /// Tax in a table of its own: captions, rates, its own sums.
    case taxTable
    /// A charge for service.
    case service
    /// The difference by rounding.
    case rounding
    /// A tip.
    case tip
    /// What is to be paid.
    case total
    /// What was given or charged.
    case payment
    /// What was given back.
    case change
    /// Numbers that are not amounts of this purchase: pieces, points, savings.
    case count
    /// The slip of a card terminal.
    case card
    /// Thanks, policies, advertising, opening hours.
    case closing
}
