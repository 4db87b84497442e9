import type { JSX } from 'preact'
import type { Headline, Sentence } from '../parts/headline.ts'
import { Icon } from '../parts/icon.tsx'
import { Text } from '../parts/text.tsx'

export function SentenceLine({ sentence }: { readonly sentence: Sentence }): JSX.Element {
  return <>{sentence.map(({ text, isValue }) => (isValue ? <Text value={text} /> : text))}</>
}

const icons = {
  people: 'users',
  money: 'banknotes',
  public: 'globe-alt',
  irreversible: 'exclamation-triangle',
} as const

/** What follows if it is approved. */
export function Consequences({ consequences }: Pick<Headline, 'consequences'>): JSX.Element | null {
  if (consequences.length === 0) return null
  return (
    <ul class="consequences" aria-label="What follows" data-read>
      {consequences.map(({ kind, sentence }) => (
        <li data-consequence={kind}>
          {kind === 'other' ? <span aria-hidden="true">•</span> : <Icon name={icons[kind]} />}
          <span>
            <SentenceLine sentence={sentence} />
          </span>
        </li>
      ))}
    </ul>
  )
}
