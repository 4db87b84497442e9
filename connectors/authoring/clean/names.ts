/** Words in the names of fields, headers and parameters with secret values. */
const secretWords = new Set(
  'pass passwd password passphrase passcode pw pwd secret token csrf xsrf nonce otp totp mfa 2fa pin sid sig auth authorization session sessionid signature credential credentials verification jwt bearer apikey cvv cvc cvv2 cvc2 csc cvn iban'.split(
    ' ',
  ),
)
const secretPart =
  /password|passwd|secret|token|csrf|xsrf|api[-_]?key|sessionid|card[-_]?(?:number|num|no)(?![a-z])|security[-_]?code|one[-_]?time|(?:recovery|backup)[-_]?code|(?:access|private)[-_]?key/

/** Words for people in names. */
const personWords = new Set(
  'author user username person customer attendee owner member guest contact sender recipient profile assignee creator participant client buyer subscriber student teacher'.split(
    ' ',
  ),
)
const nameWords =
  /^(?:full|first|last|family|given|display|real|nick|screen)[-_ ]?name$|^(?:username|fullname|nickname|surname|lastname|firstname)$/
const phoneWords = new Set('phone tel telephone mobile cell fax'.split(' '))
const addressWords = new Set('street address address1 address2 line1 line2 zip zipcode postcode postal'.split(' '))

/** Words of a field's name: `new_passwordAgain` → new, password, again. */
function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
}

export function isSecretName(name: string): boolean {
  return secretPart.test(name.toLowerCase()) || wordsOf(name).some((word) => secretWords.has(word))
}

/** Whether a field holds a person's name. `parent`: the name of its container. */
export function isPersonName(name: string, parent = ''): boolean {
  if (nameWords.test(name.toLowerCase())) return true
  const words = wordsOf(name)
  const isOfPerson = (all: readonly string[]): boolean =>
    all.some((word) => personWords.has(word) || personWords.has(word.replace(/s$/, '')))
  const last = words.at(-1) ?? ''
  if (last === 'name' || last === 'label') return isOfPerson(words) || isOfPerson(wordsOf(parent))
  return words.length === 1 && isOfPerson(words)
}

/** Whether a field holds an address or phone number; each letter and digit is replaced. */
export function isContact(name: string): boolean {
  const words = wordsOf(name)
  if (words.includes('email') || words.includes('ip') || words.includes('url')) return false
  return words.some((word) => phoneWords.has(word) || addressWords.has(word))
}

/** Whether a class, `itemprop` or `rel` marks a person's name. */
export function isPersonClass(words: string): boolean {
  return /(?:^|[\s_-])(?:author|user-?name|user-?link|user-?card|person|customer|attendee|member-?name|profile-?name|full-?name|nick(?:name)?|vcard|fn)(?:$|[\s_-])/i.test(
    words,
  )
}
