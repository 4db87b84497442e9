/** Called with a secret's kind and value; returns its placeholder. */
export type Hide = (name: string, value: string) => string

const cardForm = /(?<![\w.-])\d(?:[ -]?\d){13,18}(?![\w-]|\.\d)/g
const cardStart = /^(?:4|5[1-5]|2[2-7]|3[04-8]|6[0245])/
const ibanForm = /(?<![A-Za-z\d])[A-Za-z]{2}\d{2}(?:[ -]?[A-Za-z\d]){11,30}/g
const otherCode = new Set(
  'zip postal post error status promo coupon discount country area product colour color bar source exit response voucher booking tax sort http qr language currency dress airport'.split(
    ' ',
  ),
)
const codeAfter =
  /(?:\b([a-z]{2,20})[ -])?\b(code|otp|passcode|pin|tan)(\b(?: is| was)?(?:[ :=]|<[^<>]{1,100}>){1,6}(?:is )?)(\d{4,8}|\d{3}[ -]\d{3})(?![\w-])/gi
const codeBefore =
  /(?<![\w.-])(\d{4,8}|\d{3}[ -]\d{3})(?= is (?:your|the) (?:[\w-]{1,20} ){0,4}(?:code|otp|passcode|pin)\b)/gi

/** Hides card numbers and IBANs by their checksums, and one-time codes by the words beside them. */
export function withoutNumbers(text: string, hide: Hide): string {
  if (!/\d{2}/.test(text)) return text
  return text
    .replaceAll(cardForm, (found) => (isCard(found.replaceAll(/\D/g, '')) ? hide('card', found) : found))
    .replaceAll(ibanForm, (found) => withoutIban(found, hide))
    .replaceAll(codeAfter, (found, of: string | undefined, _word, _between, code: string) => {
      if (of !== undefined && otherCode.has(of.toLowerCase())) return found
      return found.slice(0, found.length - code.length) + hide('code', code)
    })
    .replaceAll(codeBefore, (code: string) => hide('code', code))
}

function isCard(digits: string): boolean {
  if (digits.length < 14 || !cardStart.test(digits)) return false
  const sum = Array.from(digits).reduceRight((total, digit, at) => {
    const doubled = (digits.length - at) % 2 === 0 ? Number(digit) * 2 : Number(digit)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}

/** Words may follow: the longest prefix that is a valid IBAN counts. */
function withoutIban(found: string, hide: Hide): string {
  for (let end = found.length; end >= 15; end--) {
    const said = found.slice(0, end)
    if (!/[\s-]$/.test(said) && !/^[A-Za-z\d]/.test(found.slice(end)) && isIban(said))
      return hide('iban', said) + found.slice(end)
  }
  return found
}

function isIban(said: string): boolean {
  const plain = said.replaceAll(/[ -]/g, '').toUpperCase()
  if (plain.length < 15 || plain.length > 34) return false
  let rest = 0
  for (const sign of plain.slice(4) + plain.slice(0, 4)) rest = Number(`${rest}${Number.parseInt(sign, 36)}`) % 97
  return rest === 1
}
