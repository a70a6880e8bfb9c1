import { digest, tableText } from './table.js';

/** `npm run decisions`: what is decided for every combination of everything that has a say. */
console.log(`${tableText()}\n\n${digest()}`);
