import type { JSX } from 'preact'
import type { Metadata } from '../../core/calls/metadata.ts'
import { Text } from './text.tsx'

/** Metadata that the client attached for its own searches: not part of the request, so folded. */
export function MetadataList({ metadata }: { readonly metadata: Metadata | null }): JSX.Element | null {
  if (metadata === null) return null
  return (
    <details>
      <summary>Metadata from the client</summary>
      <dl>
        {Object.entries(metadata).map(([name, text]) => (
          <>
            <dt>
              <Text value={name} />
            </dt>
            <dd>
              <Text value={text} />
            </dd>
          </>
        ))}
      </dl>
    </details>
  )
}
