/// What a row of a receipt is for. The order is that of the row model's outputs.
package enum RowClass: Int, CaseIterable, Sendable {
    /// None of the others.
    case other
    /// A trade name, a logo, a branch: who sells, but not the name asked for.
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
    /// What kind of paper, when, where in the shop, by whom, under which number.
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
    /// Numbers that are no money of this purchase: pieces, points, savings.
    case count
    /// The slip of a card terminal.
    case card
    /// Thanks, policies, advertising, opening hours.
    case closing
}
