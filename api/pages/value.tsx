import type { JSX } from 'preact'
import type { JsonSchema } from '../../connectors/registry.ts'
import { itemsOf, propertiesOf } from './schema.ts'
import { Text } from './text.tsx'
import { counted, Time } from './time.tsx'

/** Characters of JSON that are read in one go; what is longer stands alone, and once. */
const longest = 32_768

export function isLong(value: object): boolean {
  return JSON.stringify(value).length > longest
}

/** A JSON object in full: a label, what the schema says about the field, and its value, down to the last level. */
export function Fields({ value, schema }: { value: object; schema: JsonSchema | undefined }): JSX.Element {
  const entries: [string, unknown][] = Object.entries(value)
  if (entries.length === 0) return <p class="empty">no fields</p>
  const known = Object.keys(propertiesOf(schema))
  const place = (name: string): number => (known.includes(name) ? known.indexOf(name) : known.length)
  return (
    <dl class="fields">
      {entries
        .toSorted(([a], [b]) => place(a) - place(b))
        .map(([name, inner]) => (
          <Field key={name} name={name} value={inner} schema={propertiesOf(schema)[name]} />
        ))}
    </dl>
  )
}

function Field({ name, value, schema }: { name: string; value: unknown; schema: JsonSchema | undefined }): JSX.Element {
  const description = schema?.['description']
  return (
    <div class="field">
      <dt>
        <Text value={labelOf(name)} />{' '}
        <code>
          <Text value={name} />
        </code>
        {Array.isArray(value) && <span class="count">{countOf(name, value)}</span>}
      </dt>
      <dd>
        <Value value={value} schema={schema} />
        {typeof description === 'string' && <p class="hint">{description}</p>}
      </dd>
    </div>
  )
}

function Value({ value, schema }: { value: unknown; schema: JsonSchema | undefined }): JSX.Element {
  if (typeof value === 'string') return <Words value={value} schema={schema} />
  if (typeof value === 'boolean') return <p class="value">{value ? 'yes' : 'no'}</p>
  if (typeof value === 'number') return <p class="value">{String(value)}</p>
  if (Array.isArray(value)) return <List values={value} schema={itemsOf(schema)} />
  if (typeof value === 'object' && value !== null) return <Fields value={value} schema={schema} />
  return <p class="empty">nothing (null)</p>
}

function Words({ value, schema }: { value: string; schema: JsonSchema | undefined }): JSX.Element {
  if (value === '') return <p class="empty">empty text</p>
  const at = schema?.['format'] === 'date-time' ? new Date(value) : undefined
  return (
    <p class="value">
      <Text value={value} />
      {at !== undefined && !Number.isNaN(at.getTime()) && (
        <span class="hint">
          {' '}
          (<Time at={at} />)
        </span>
      )}
    </p>
  )
}

function List({ values, schema }: { values: readonly unknown[]; schema: JsonSchema | undefined }): JSX.Element {
  if (values.length === 0) return <p class="empty">an empty list</p>
  return (
    <ol class="list">
      {values.map((value, index) => (
        <li key={index}>
          <Value value={value} schema={schema} />
        </li>
      ))}
    </ol>
  )
}

const people =
  /^(to|cc|bcc)$|recipient|contact|guest|client|customer|member|attendee|invitee|student|participant|speaker|waitlist|email|phone/

function countOf(name: string, values: readonly unknown[]): string {
  const different = new Set(values.map((value) => JSON.stringify(value))).size
  const count = people.test(name) ? counted(values.length, 'recipient') : counted(values.length, 'entry', 'entries')
  return different === values.length ? count : `${count}, ${different} different`
}

/** `listing_id` → `Listing id`. */
export function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
