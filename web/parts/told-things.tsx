import type { JSX } from 'preact'
import { isFields } from '../../connectors/kit/wire.ts'
import type { Fields } from '../../connectors/kit/wire.ts'
import type { JsonSchema } from '../../connectors/registry.ts'
import { withLabel, sayOf } from './in-short.ts'
import { itemsOf, objectFor, propertiesOf } from './schema.ts'
import { Text } from './text.tsx'
import { nothingKnown } from './things.ts'
import { counted, Time } from './time.tsx'
import type { ToldField, ToldThing } from './told.ts'
import { IsSent, Value } from './value.tsx'

interface TellsProps {
  readonly appName: string
  /** Where the user signs in to the app. */
  readonly connectUrl: string
}

interface ToldProps extends TellsProps {
  readonly things: readonly ToldThing[]
  /** Number of entities that were not previewed. */
  readonly omitted: number
  readonly at: Date | null
}

/** Preview of a call: the entities it affects, as the app describes them. */
export function ToldThings({ things, omitted, at, ...tells }: ToldProps): JSX.Element | null {
  if (things.length === 0 && omitted === 0) return null
  return (
    <div class="told" data-read>
      {things.map((thing) => (
        <Thing key={`${thing.of} ${thing.id}`} thing={thing} {...tells} />
      ))}
      {omitted > 0 && (
        <p class="hint">
          {counted(omitted, 'more thing')} that this names {omitted === 1 ? 'was' : 'were'} not looked up.
        </p>
      )}
      {at !== null && things.length > 0 && (
        <p class="hint" data-aside>
          As {tells.appName} told it at <Time at={at} />.
        </p>
      )}
    </div>
  )
}

function Thing({ thing, ...tells }: TellsProps & { readonly thing: ToldThing }): JSX.Element {
  const { label, name, id, fields, problem, further } = thing
  return (
    <section class="thing">
      <h3>
        <span class="kind">{label}</span> <Text value={name ?? id} />
      </h3>
      {fields.length > 0 && (
        <dl class="pairs">
          {fields.map((field) => (
            <div key={`${field.path} ${field.label ?? ''}`} class={isLong(field) ? 'long' : undefined}>
              <dt>{field.label ?? <Text value={field.path} />}</dt>
              <dd>
                <ToldValue field={field} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {problem !== undefined && <Problem problem={problem} {...tells} />}
      {further.map((one) => (
        <Thing key={`${one.of} ${one.id}`} thing={one} {...tells} />
      ))}
    </section>
  )
}

function Problem({
  problem,
  appName,
  connectUrl,
}: TellsProps & { readonly problem: NonNullable<ToldThing['problem']> }): JSX.Element {
  switch (problem) {
    case 'absent':
      return <p class="missing">{appName} says that it has no such thing.</p>
    case 'not_found':
      return (
        <p class="missing">Not found where Callgate looked in {appName}; there may be more than it looks through.</p>
      )
    case 'blocked':
      return <p class="missing">Not looked up: {appName} refuses Callgate for now.</p>
    case 'reconnect':
      return (
        <p class="missing">
          Not looked up: you are signed out of {appName}. <a href={connectUrl}>Sign in to {appName} again</a>
        </p>
      )
    case 'failed':
      return <p class="missing">Not looked up: {appName} did not answer as it should.</p>
  }
}

/** Takes the full width. */
function isLong({ value }: ToldField): boolean {
  return Array.isArray(value) || (typeof value === 'string' && value.length > 80)
}

/** Visible entries of a list. */
const mostInSight = 6

/** A value in full; a list entry is shortened to one line. */
export function ToldValue({ field: { value, schema, beside } }: { readonly field: ToldField }): JSX.Element {
  if (Array.isArray(value)) return <Entries values={value} schema={itemsOf(schema)} />
  if (isFields(value)) return <p class="value">{<Line value={value} schema={schema} beside={beside} />}</p>
  return (
    <IsSent.Provider value={false}>
      <Value value={value} schema={schema} beside={beside} />
    </IsSent.Provider>
  )
}

function Entries({
  values,
  schema,
}: {
  readonly values: readonly unknown[]
  readonly schema: JsonSchema | undefined
}): JSX.Element {
  if (values.length === 0) return <p class="empty">none</p>
  const list = (some: readonly unknown[], start: number): JSX.Element => (
    <ol class="list" start={start}>
      {some.map((value, index) => (
        <li key={index}>
          <Line value={value} schema={schema} beside={{}} />
        </li>
      ))}
    </ol>
  )
  if (values.length <= mostInSight) return list(values, 1)
  return (
    <>
      {list(values.slice(0, mostInSight), 1)}
      <details data-aside>
        <summary>and {values.length - mostInSight} more</summary>
        {list(values.slice(mostInSight), mostInSight + 1)}
      </details>
    </>
  )
}

interface LineProps {
  readonly value: unknown
  readonly schema: JsonSchema | undefined
  readonly beside: Fields
}

function Line({ value, schema, beside }: LineProps): JSX.Element {
  const text = isFields(value) ? lineOf(value, schema) : sayOf(value, { schema, beside, things: nothingKnown })?.text
  return text === undefined ? <span class="empty">nothing</span> : <Text value={text} />
}

/** All fields of an object that have a short form. */
function lineOf(value: Fields, schema: JsonSchema | undefined): string | undefined {
  const sum = sayOf(value, { schema, beside: {}, things: nothingKnown })
  if (sum?.clear === true) return sum.text
  const schemas = propertiesOf(objectFor(schema, value))
  const said = Object.entries(value).flatMap(([name, inner]) => {
    const one = sayOf(inner, { schema: schemas[name], beside: value, things: nothingKnown })
    return one === undefined ? [] : [one.clear ? one.text : withLabel(name, schemas[name], one.text)]
  })
  return said.length === 0 ? undefined : said.join(' · ')
}
