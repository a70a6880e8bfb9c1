/** A cart is a list of lines: { name, price, quantity }, with the price of one piece in cents. */

export function addLine(cart, name, price, quantity = 1) {
  // TODO: join lines of the same name
  return [...cart, { name, price, quantity }];
}

export function total(cart) {
  return cart.reduce((sum, line) => sum + line.price, 0);
}
