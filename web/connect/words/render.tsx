import { h } from 'preact'
import type { JSX } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { plainText, Text } from '../../parts/text.tsx'
import { counted } from '../../parts/time.tsx'
import type { Item } from './items.ts'
import type { PageInWords } from './reader.ts'

/** Pieces of our own page. Each key stays the same while its piece is about the same thing. */
export interface Piece {
  readonly key: string
  readonly html: string
}

export function piecesOf(page: PageInWords | null): readonly Piece[] {
  if (page === null) return [{ key: 'page', html: renderToString(<TooLarge />) }]
  const pieces = [{ key: 'page', html: renderToString(<Title page={page} />) }]
  let level = 2
  for (const item of page.items) {
    if (item.kind === 'heading') level = Math.min(item.level + 2, level + 1, 6)
    pieces.push({ key: item.id, html: renderToString(<Piece item={item} level={level} />) })
  }
  return pieces
}

function TooLarge(): JSX.Element {
  return <p data-words>This page is too large to be read in words.</p>
}

/** Changes with every page, so it comes first. */
function Title({ page: { title, items } }: { readonly page: PageInWords }): JSX.Element {
  const count = (what: string, ...kinds: readonly Item['kind'][]): string[] => {
    const found = items.filter(({ kind }) => kinds.includes(kind)).length
    return found === 0 ? [] : [counted(found, what)]
  }
  const counts = [...count('field', 'field', 'choice', 'tick'), ...count('button', 'button'), ...count('link', 'link')]
  return (
    <p data-words>
      <strong>{title === '' ? 'A page without a title' : <Text value={title} />}</strong>
      <span class="hint">{` ${counts.length === 0 ? 'Nothing to fill in or press.' : counts.join(', ')}`}</span>
    </p>
  )
}

function Piece({ item, level }: { readonly item: Item; readonly level: number }): JSX.Element {
  switch (item.kind) {
    case 'heading':
      return h(`h${level}`, { 'data-words': true }, <Text value={item.text} />)
    case 'text':
      return (
        <p class={item.alert ? 'notice warn' : undefined} data-words>
          <Text value={item.text} />
        </p>
      )
    case 'frame':
      return (
        <p class="hint" data-words>
          What follows comes from <strong class="mono">{item.host}</strong>:
        </p>
      )
    case 'tick':
      return (
        <button
          class="quiet"
          type="button"
          role={item.role}
          aria-checked={item.checked}
          disabled={item.disabled}
          data-press={item.id}
        >
          <Text value={item.name} />
        </button>
      )
    case 'button':
    case 'link':
      return (
        <button
          class={item.kind === 'link' ? 'link' : 'quiet'}
          type="button"
          role={item.kind === 'link' ? 'link' : undefined}
          aria-expanded={item.expanded}
          aria-pressed={item.kind === 'link' ? undefined : item.pressed}
          aria-current={item.selected ? 'true' : undefined}
          disabled={item.disabled}
          data-press={item.id}
        >
          <Text value={item.name} />
        </button>
      )
    case 'choice':
      return (
        <label>
          <Text value={item.name} />
          <select disabled={item.disabled} autocomplete="off" data-choose={item.id}>
            {item.options.map(({ id, name, selected }) => (
              <option key={id} value={id} selected={selected}>
                {plainText(name)}
              </option>
            ))}
          </select>
        </label>
      )
    case 'field':
      return <Field item={item} />
  }
}

/** Only the user fills it in: its name and type match nothing that browsers save passwords for. */
function Field({ item }: { readonly item: Extract<Item, { kind: 'field' }> }): JSX.Element {
  const { id, name, value, hint, secret, lines, required, wrong, disabled, focused } = item
  const common = {
    autocomplete: secret ? 'one-time-code' : 'off',
    autocapitalize: 'none' as const,
    spellcheck: false,
    maxLength: 2000,
    disabled,
    'aria-required': required ? ('true' as const) : undefined,
    'aria-invalid': wrong ? ('true' as const) : undefined,
    'data-fill': id,
  }
  return (
    <label data-focused={focused ? plainText(name) : undefined}>
      <span>
        <Text value={name} />
        {required && <span class="required"> required</span>}
        {wrong && <span class="problem"> The page says that this is wrong.</span>}
      </span>
      {secret ? (
        <input type="password" {...common} />
      ) : lines ? (
        <textarea rows={3} {...common}>
          {value}
        </textarea>
      ) : (
        <input type="text" {...common} value={value} />
      )}
      {secret && value !== '' && <span class="hint">{counted(value.length, 'character')} typed there</span>}
      {hint !== '' && (
        <span class="hint">
          <Text value={hint} />
        </span>
      )}
    </label>
  )
}
