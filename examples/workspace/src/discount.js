/** What a customer pays after a discount in percent, in whole cents. */
export function discounted(cents, percent) {
  // TODO: refuse percentages below 0 and above 100
  return cents - (cents * percent) / 100;
}
