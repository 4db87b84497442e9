const width = 118
const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** Breaks a long line of code: the contents of its longest brackets get a line each. */
export function tidy(code: string, indent: number, before = 0): string {
  if (code.includes('\n') || indent + before + code.length <= width) return code
  const outer = outermost(code)
  if (outer === undefined) return code
  const { open, close } = outer
  const parts = split(code.slice(open + 1, close))
  // A single function argument stays on the line of its call.
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

/** The longest outermost pair of brackets, outside of patterns and strings. */
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

/** Splits at commas outside of brackets. */
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

/** Brackets and commas, without those in strings and patterns. */
function signs(code: string): readonly { readonly at: number; readonly sign: string }[] {
  return [
    ...code.matchAll(/'(?:[^'\\]|\\.)*'|(?<=[(\s])\/(?:[^/\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+\/|[()[\]{},]/g),
  ].flatMap(({ 0: sign, index: at }) => (sign.length === 1 ? [{ at, sign }] : []))
}

/** The code without strings and comments. */
export function withoutTexts(code: string): string {
  return code.replaceAll(/'(?:[^'\\]|\\.)*'|\/\/[^\n]*/g, "''")
}
