/** `1.234,50` of 123450 hundredths. */
export function decimal(hundredths: number): string {
  const [whole = '', rest] = (Math.abs(hundredths) / 100).toFixed(2).split('.')
  return `${hundredths < 0 ? '-' : ''}${whole.replace(/\B(?=(\d{3})+$)/g, '.')},${rest}`
}

/** The hundredths in `1.234,50`, `1234,5` or `1234`; undefined for any other text. */
export function hundredths(text: string): number | undefined {
  if (!/^(\d{1,9}|\d{1,3}(\.\d{3}){1,2})(,\d{1,2})?$/.test(text)) return undefined
  return Math.round(Number(text.replaceAll('.', '').replace(',', '.')) * 100)
}
