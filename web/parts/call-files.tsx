import type { JSX } from 'preact'
import type { CallFile } from '../../connectors/runtime/file-inputs.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import { isFinal } from '../../schemas/call.ts'
import { Text } from './text.tsx'

export const isPicture = ({ type }: CallFile): boolean => type.startsWith('image/')

const sizeOf = (bytes: number): string =>
  bytes < 1_000
    ? `${bytes} bytes`
    : bytes < 1_000_000
      ? `${(bytes / 1_000).toFixed(1)} kB`
      : `${(bytes / 1_000_000).toFixed(1)} MB`

/** Files of a call as fetched: approval covers these bytes, whatever their URLs return later. */
export function CallFiles({ row, files }: { row: CallRow; files: readonly CallFile[] }): JSX.Element | null {
  if (files.length === 0) return null
  // Calls without approval settle at once, so their pages show no content.
  const kept = row.confirm && !isFinal(row.status)
  const heading = `files-${row.id}`
  return (
    <section aria-labelledby={heading}>
      <h3 id={heading}>{files.length === 1 ? 'The file' : 'The files'}</h3>
      {files.map((file) => (
        <figure class="file" key={file.place} data-read>
          {kept && isPicture(file) && <img src={addressOf(row, file)} alt={`What ${file.place} shows`} />}
          <figcaption>
            {kept && !isPicture(file) ? (
              <a href={addressOf(row, file)} download>
                <Text value={file.name} />
              </a>
            ) : (
              <strong>
                <Text value={file.name} />
              </strong>
            )}{' '}
            · {file.type} · {sizeOf(file.size)}
            <br />
            <span class="hint">
              {file.place}, SHA-256 <span class="mono">{file.sha256}</span>
            </span>
          </figcaption>
        </figure>
      ))}
      <p class="hint">
        {kept
          ? 'Fetched when the call was made. This is what is sent, even if the address gives something else by now.'
          : 'The bytes are deleted when the call ends.'}
      </p>
    </section>
  )
}

function addressOf({ id }: CallRow, { place, sha256 }: CallFile): string {
  return `/confirm/${id}/files/${place}?v=${sha256.slice(0, 12)}`
}
