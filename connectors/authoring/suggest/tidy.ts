const width = 118
const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** Code of one line, over several lines where it is too long: what stands in an object, a list or a call has a line each then. */
export function tidy(code: string, indent: number, before = 0): string {
  if (code.includes('\n') || indent + before + code.length <= width) return code
  const outer = outermost(code)
  if (outer === undefined) return code
  const { open, close } = outer
  const parts = split(code.slice(open + 1, close))
  // A function at the end of a call stays where it is.
  const last = parts.at(-1) ?? ''
  const head = code.slice(0, open + 1)
  const inner = ' '.repeat(indent + 2)
  if (parts.length === 1 && code[open] === '(' && /^(?:\(.*?\) => )?[({[]/.test(last))
    return `${head}${tidy(last, indent, head.length)}${tail(code, close, indent)}`
  const lines = parts.map((part) => `${inner}${tidy(part, indent + 2)},`)
  return `${head}\n${lines.join('\n')}\n${' '.repeat(indent)}${tail(code, close, indent)}`
}

function tail(code: string, close: number, indent: number): string {
  return code[close] + (close + 1 < code.length ? tidy(code.slice(close + 1), indent) : '')
}

/** The longest pair of brackets that stands in no other, none of a pattern or a text. */
function outermost(code: string): { readonly open: number; readonly close: number } | undefined {
  const pairs: { open: number; close: number }[] = []
  const stack: number[] = []
  for (const { at, sign } of signs(code)) {
    if (sign in closing) stack.push(at)
    else if (sign !== ',') {
      const open = stack.pop()
      if (open !== undefined && stack.length === 0) pairs.push({ open, close: at })
    }
  }
  return pairs.toSorted((a, b) => b.close - b.open - (a.close - a.open))[0]
}

/** At the commas that stand in no brackets. */
function split(code: string): readonly string[] {
  const parts: string[] = []
  let [depth, from] = [0, 0]
  for (const { at, sign } of signs(code)) {
    if (sign in closing) depth++
    else if (sign !== ',') depth--
    else if (depth === 0) {
      parts.push(code.slice(from, at).trim())
      from = at + 1
    }
  }
  return [...parts, code.slice(from).trim()].filter((part) => part !== '')
}

/** Brackets and commas, without those in texts and patterns. */
function signs(code: string): readonly { readonly at: number; readonly sign: string }[] {
  return [
    ...code.matchAll(/'(?:[^'\\]|\\.)*'|(?<=[(\s])\/(?:[^/\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+\/|[()[\]{},]/g),
  ].flatMap(({ 0: sign, index: at }) => (sign.length === 1 ? [{ at, sign }] : []))
}

/** The code without its texts, patterns and comments: what it calls. */
export function withoutTexts(code: string): string {
  return code.replaceAll(/'(?:[^'\\]|\\.)*'|\/\/[^\n]*/g, "''")
}
