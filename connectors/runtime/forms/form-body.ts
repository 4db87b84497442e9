import type { FileOf } from '../../kit/files.ts'
import { UnknownShape } from '../../kit/wire.ts'
import { boundaryOf } from '../multipart.ts'
import type { MultipartField, RenderedBody } from '../multipart.ts'
import type { FilledForm } from './filled-form.ts'
import type { PageForm } from './page-form.ts'

type Entries = FilledForm['entries']

/** The body of a form; its entries hold files by their hashes. */
export function formBody(
  entries: Entries,
  { controls, isMultipart, encoding }: PageForm,
  files: readonly FileOf[],
): RenderedBody {
  // UTF-8 is implicit in stored bodies. Without a known encoding only ASCII is sent.
  const said = encoding === undefined || encoding === 'UTF-8' ? {} : { encoding }
  if (encoding === undefined && entries.flat().some((text) => /[^\0-\u007f]/.test(text)))
    throw new UnknownShape('the page does not say its encoding')
  if (!isMultipart) return { form: entries, ...said }
  const places = new Set(controls.flatMap(({ name, kind }) => (kind === 'file' ? [name] : [])))
  const fields = entries.map(([name, value]): MultipartField => {
    if (!places.has(name)) return [name, value]
    return [name, value === '' ? { noFile: true } : fileOf(value, files)]
  })
  return { multipart: fields, boundary: boundaryOf(fields), ...said }
}

/** The entries of a form's body; undefined: not the body of a form. */
export function entriesOf(body: RenderedBody | null): Entries | undefined {
  if (body === null || 'text' in body || 'file' in body) return undefined
  if ('form' in body) return body.form
  return body.multipart.map(([name, value]) => [
    name,
    typeof value === 'string' ? value : 'noFile' in value ? '' : value.sha256,
  ])
}

function fileOf(hash: string, files: readonly FileOf[]): FileOf {
  const known = files.find(({ sha256 }) => sha256 === hash)
  if (known === undefined) throw new UnknownShape('a file of the request is none of the input')
  const { sha256, name, type, size } = known
  return { sha256, name, type, size }
}
