import { addLine, total } from './src/cart.js';
import { discounted } from './src/discount.js';
import { formatMoney } from './src/money.js';
import { receipt } from './src/receipt.js';

const cart = addLine(addLine([], 'apple', 45, 3), 'bread', 320);

const checks = [
  ['an empty cart costs nothing', total([]), 0],
  ['a line costs its price times its quantity', total(cart), 455],
  ['money has two decimals', formatMoney(1205), '12.05'],
  ['a discount leaves whole cents', discounted(455, 10), 410],
  ['a receipt ends with the total', receipt(cart, 10).split('\n').at(-1), 'total  4.10'],
];

let failed = 0;
for (const [name, got, wanted] of checks) {
  if (got === wanted) {
    console.log(`ok      ${name}`);
  } else {
    failed += 1;
    console.log(`not ok  ${name}`);
    console.error(`${name}: wanted ${JSON.stringify(wanted)}, got ${JSON.stringify(got)}`);
  }
}
console.log(`${checks.length - failed} of ${checks.length} checks passed`);
process.exitCode = failed === 0 ? 0 : 1;
