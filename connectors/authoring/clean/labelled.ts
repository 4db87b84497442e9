import { isSecretName } from './names.ts'
import { withoutNumbers } from './numbers.ts'
import type { Hide } from './numbers.ts'

/** Cleans the inside of a value; see nested.ts. */
type Inside = (value: string) => string

const quoted =
  /(?<![\w$-])([\w$-]{2,40})((?:\s{0,3}[:=]|:)\s{0,3})("(?:[^"\\\n]|\\.){1,2000}"|'(?:[^'\\\n]|\\.){1,2000}')/g
/** JSON within JSON, within an attribute, within a URL. */
const escapedJson =
  /(&quot;|&#34;|&#x22;|\\{1,15}"|\\u0022|%22)([\w$-]{2,40})\1((?:\s|%20){0,3}(?::|%3A)(?:\s|%20){0,3})(?:\1([^\n<>]{1,2000}?)\1|(\d{1,40})(?!\d))/gi
const plain = /(?<![\w$-])([\w$-]{2,40})(\s{0,3}[:=]\s{0,3})([^\s,;&"'<>{}()[\]`\\]{3,2000})/g
const inAddress = /([?&;#])([\w.[\]-]{1,60})=([^\s&"'<>;,)\\]{1,2000})/g
const element =
  /<((?:[\w-]{1,40}:)?([\w-]{2,40}))((?:\s[^<>]{0,300})?)>(\s{0,9}<!\[CDATA\[)?([^<>]{1,2000}?)(\]\]>\s{0,9})?<\/\1>/g
const named =
  /(<(?!button|label|select|a\b)[\w:-]{1,40}\s(?:[^<>]{0,200}?\s)?(?:name|key|field)=(["'])([^"'<>]{1,60})\2[^<>]{0,200}?)((?:\svalue=)(["'])([^"'<>]{1,2000})\5|>([^<>]{1,2000})<\/)/gi
const scheme = /\b(Bearer|Basic|Token|Digest)(\s{1,3})([\w.~+/-]{8,4000}={0,2})/g
const signIn = /(:\/\/[^\s/:@"'<>]{0,100}):([^\s/@"'<>]{1,200})@/g
const known =
  /\beyJ[\w-]{5,4000}\.[\w-]{5,4000}\.[\w-]{0,4000}|\b(?:sk|pk|rk)_(?:live|test)_\w{8,200}|\bgh[pousr]_\w{20,200}|\bxox[abpr]-[\w-]{10,200}|\bAKIA[A-Z\d]{16}\b|-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]{1,8000}-----END [A-Z ]{0,30}PRIVATE KEY-----/g

/** Hides what labels, markup or format mark as secret. Bounded patterns: linear time. */
export function withoutLabelled(text: string, hide: Hide, inside: Inside): string {
  const said = withoutColumns(text, hide)
    .replaceAll(known, (value) => hide('key', value))
    .replaceAll(scheme, (_, word: string, space: string, value: string) => word + space + credential(word, value, hide))
    .replaceAll(signIn, (_, before: string, value: string) => `${before}:${hide('password', value)}@`)
    .replaceAll(escapedJson, (found, quote: string, name: string, between: string, value?: string, digits?: string) => {
      if (!isSecretName(name)) return found
      const shown = hide(name, value ?? digits ?? '')
      return `${quote}${name}${quote}${between}${quote}${shown}${quote}`
    })
    .replaceAll(quoted, (found, name: string, between: string, value: string) => {
      const quote = value[0] ?? ''
      return isSecretName(name) ? `${name}${between}${quote}${hide(name, value.slice(1, -1))}${quote}` : found
    })
    .replaceAll(inAddress, (_, mark: string, name: string, value: string) => {
      return `${mark}${name}=${isSecretName(name) ? hide(name, value) : inside(value)}`
    })
    .replaceAll(plain, (found, name: string, between: string, value: string) => {
      const isSaid = /\d/.test(value) || (between === '=' && /pass|pwd|secret/i.test(name))
      return isSecretName(name) && isSaid ? name + between + hide(name, value) : found
    })
  return withoutNumbers(text.includes('<') ? withoutMarkup(said, hide) : said, hide)
}

function withoutMarkup(text: string, hide: Hide): string {
  return text
    .replaceAll(element, (found, tag: string, name: string, rest: string, open = '', value: string, close = '') =>
      isSecretName(name) ? `<${tag}${rest}>${open}${hide(name, value)}${close}</${tag}>` : found,
    )
    .replaceAll(
      named,
      (found, before: string, _q, name: string, _rest, quote = '"', value?: string, inner?: string) => {
        if (!isSecretName(name)) return found
        return inner === undefined
          ? `${before} value=${quote}${hide(name, value ?? '')}${quote}`
          : `${before}>${hide(name, inner)}</`
      },
    )
}

/** "Basic instinct" and "Token collection" are ordinary words. */
function credential(word: string, value: string, hide: Hide): string {
  return /\d|[+/=~]/.test(value) || (word !== 'Token' && /[a-z][A-Z]/.test(value))
    ? hide('authorization', value)
    : value
}

/** Hides the columns of a text table that its header names as secret. */
function withoutColumns(text: string, hide: Hide): string {
  const [head = '', ...rows] = text.split('\n')
  if (rows.length === 0 || head.length > 2000) return text
  const mark = [',', ';', '\t', '|'].find((one) => head.includes(one))
  if (mark === undefined || !/^[\w "|;,\t.-]+\r?$/.test(head)) return text
  const columns = head.split(mark).map((name) => name.replaceAll(/["\r]/g, '').trim())
  const secret = columns.flatMap((name, at) => (isSecretName(name) ? [[name, at] as const] : []))
  if (secret.length === 0) return text
  const cell = new RegExp(
    `(?:^|[${mark === '\t' ? '\\t' : mark}])("(?:[^"]|"")*"|[^${mark === '\t' ? '\\t' : mark}]*)`,
    'g',
  )
  const cleaned = rows.map((row) => {
    let at = -1
    return row.replaceAll(cell, (found, value: string) => {
      at++
      const name = secret.find(([, place]) => place === at)?.[0]
      const bare = value
        .replace(/^"([^]*)"$/, '$1')
        .replace(/\r$/, '')
        .trim()
      return name === undefined || bare === '' ? found : found.replace(bare, () => hide(name, bare))
    })
  })
  return [head, ...cleaned].join('\n')
}
