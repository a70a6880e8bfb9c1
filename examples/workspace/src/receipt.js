import { total } from './cart.js';
import { discounted } from './discount.js';
import { formatMoney } from './money.js';

export function receipt(cart, percent = 0) {
  const lines = cart.map(({ name, price, quantity }) => `${quantity} x ${name}  ${formatMoney(price * quantity)}`);
  return [...lines, `total  ${formatMoney(discounted(total(cart), percent))}`].join('\n');
}
