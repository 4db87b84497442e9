import type { JSX } from 'preact'
import type { Sentence } from '../parts/sentence.ts'
import { Text } from '../parts/text.tsx'

/** What happens if it is approved: the action, with names and amounts. */
export function SentenceLine({ sentence }: { readonly sentence: Sentence }): JSX.Element {
  const { action, about, reaches } = sentence
  return (
    <>
      {action}
      {(about.length > 0 || reaches.length > 0) && (
        <span class="gist">
          {about.length > 0 && (
            <>
              {': '}
              <Text value={withoutDot(about.join(', '), reaches.length > 0)} />
            </>
          )}
          {reaches.length > 0 && (
            <>
              {'; reaches '}
              <Text value={listed(reaches)} />
            </>
          )}
        </span>
      )}
    </>
  )
}

/** Drops the final dot of a quote when the sentence continues after it. */
function withoutDot(text: string, goesOn: boolean): string {
  return goesOn ? text.replace(/\.$/, '') : text
}

/** `Ana, Ben and 3 more` */
function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`
}
