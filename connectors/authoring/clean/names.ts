/** Words that fields, headers and parameters have in their names whose values nobody else may have. */
const secretWords = new Set(
  'pass passwd password passphrase passcode pw pwd secret token csrf xsrf nonce otp totp mfa 2fa pin sid sig auth authorization session sessionid signature credential credentials verification jwt bearer apikey'.split(
    ' ',
  ),
)
const secretPart = /password|passwd|secret|token|csrf|xsrf|apikey|sessionid/

/** What is said of a person. */
const personWords = new Set(
  'author user username person customer attendee owner member guest contact sender recipient profile assignee creator participant client buyer subscriber student teacher'.split(
    ' ',
  ),
)
const nameWords =
  /^(?:full|first|last|family|given|display|real|nick|screen)[-_ ]?name$|^(?:username|fullname|nickname|surname|lastname|firstname)$/
const phoneWords = new Set('phone tel telephone mobile cell fax'.split(' '))
const addressWords = new Set('street address address1 address2 line1 line2 zip zipcode postcode postal'.split(' '))

/** Of a field's name: `new_passwordAgain` → new, password, again. */
function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
}

export function isSecretName(name: string): boolean {
  return secretPart.test(name.toLowerCase()) || wordsOf(name).some((word) => secretWords.has(word))
}

/** Whether a field tells what somebody is called. `parent`: what it stands in. */
export function isPersonName(name: string, parent = ''): boolean {
  if (nameWords.test(name.toLowerCase())) return true
  const words = wordsOf(name)
  const isOfPerson = (all: readonly string[]): boolean =>
    all.some((word) => personWords.has(word) || personWords.has(word.replace(/s$/, '')))
  const last = words.at(-1) ?? ''
  if (last === 'name' || last === 'label') return isOfPerson(words) || isOfPerson(wordsOf(parent))
  return words.length === 1 && isOfPerson(words)
}

/** Whether a field tells where somebody lives or can be called: its letters and digits are made up, one by one. */
export function isContact(name: string): boolean {
  const words = wordsOf(name)
  if (words.includes('email') || words.includes('ip') || words.includes('url')) return false
  return words.some((word) => phoneWords.has(word) || addressWords.has(word))
}

/** Whether markup says so, in a class, `itemprop` or `rel`. */
export function isPersonClass(words: string): boolean {
  return /(?:^|[\s_-])(?:author|user-?name|user-?link|user-?card|person|customer|attendee|member-?name|profile-?name|full-?name|nick(?:name)?|vcard|fn)(?:$|[\s_-])/i.test(
    words,
  )
}
