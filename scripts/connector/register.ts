/**
 * The connector's entry file with another endpoint module registered, if its list of endpoints is
 * easy to parse; otherwise the lines for the author to add. `file`: relative to the entry's folder.
 */
export function registered(
  entry: string,
  entryFile: string,
  file: string,
): { readonly text?: string; readonly toAdd: readonly string[] } {
  const name = file.replace(/\.ts$/, '').replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  const up = '../'.repeat(entryFile.split(/[/\\]/).length - 1)
  const line = `import * as ${name} from '${up === '' ? './' : up}${file}'`
  if (entry.includes(line)) return { toAdd: [] }
  const toAdd = [line, `endpoints: […, ${name}]`]
  const lists = [...entry.matchAll(/^( *)endpoints: \[((?:\s*\w+,?)*)\s*\],?(?: *\/\/.*)?$/gm)]
  const imports = [...entry.matchAll(/^import [^\n]*\n|^import \{[^}]*\} from [^\n]*\n/gm)]
  const [list, last] = [lists[0], imports.at(-1)]
  if (list === undefined || lists.length > 1 || last === undefined || new RegExp(`\\b${name}\\b`).test(entry))
    return { toAdd }
  const given = (list[2] ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)
  const endpoints = `${list[1] ?? ''}endpoints: [${[...given, name].join(', ')}],`
  const at = last.index + last[0].length
  const [before, after] = [entry.slice(0, list.index), entry.slice(list.index + list[0].length)]
  const text = list.index > at ? `${before.slice(0, at)}${line}\n${before.slice(at)}${endpoints}${after}` : undefined
  return text === undefined ? { toAdd } : { text, toAdd: [] }
}
