/** Cents as text: 1234 becomes "12.34". */
export function formatMoney(cents) {
  // TODO: negative amounts
  const whole = Math.floor(cents / 100);
  const rest = String(cents % 100).padStart(2, '0');
  return `${whole}.${rest}`;
}
