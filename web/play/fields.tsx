import type { JSX } from 'preact'
import type { Detail } from '../../connectors/registry.ts'
import type { PlayField } from './form.ts'
import { itemsOf, propertiesOf, typeOf } from '../parts/schema.ts'
import { labelOf } from '../parts/declared.ts'

interface EntryProps {
  readonly field: PlayField
  /** Current values. */
  readonly texts: readonly string[]
  readonly problems: readonly Detail[]
}

/** A field with its label, hint and errors. */
export function FieldEntry(props: EntryProps): JSX.Element {
  const { field, texts, problems } = props
  const { name, schema, control, required, mayBeEmpty } = field
  const id = `in.${name}`
  const title = (
    <>
      {labelOf(schema)} <code>{name}</code>
      {required && <span class="required"> required</span>}
    </>
  )
  return (
    <div class={problems.length > 0 ? 'entry wrong' : 'entry'}>
      {control === 'ticks' ? (
        <fieldset id={id}>
          <legend>{title}</legend>
          <Ticks {...props} />
        </fieldset>
      ) : (
        <>
          <label for={id}>{title}</label>
          <Control {...props} />
        </>
      )}
      {problems.map(({ path, message }) => (
        <p key={path} class="problem" id={`${id}.problem`}>
          {path === name ? '' : `${path} `}
          {message}
        </p>
      ))}
      <p class="hint" id={`${id}.hint`}>
        {hintOf(field)}
      </p>
      {mayBeEmpty && (
        <label class="tick hint">
          <input type="checkbox" name="empty" value={name} checked={texts[0] === ''} /> send it empty, rather than leave
          it out
        </label>
      )}
      {control === 'json' && (
        <details>
          <summary>What it takes</summary>
          <pre>
            <code>{JSON.stringify(schema, null, 2)}</code>
          </pre>
        </details>
      )}
    </div>
  )
}

function Control({ field, texts, problems }: EntryProps): JSX.Element {
  const { name, control, choices, required, schema } = field
  const [text = ''] = texts
  const wrong = problems.length > 0
  const common = {
    id: `in.${name}`,
    name: `in.${name}`,
    ...(wrong && { 'aria-invalid': 'true' as const }),
    'aria-describedby': wrong ? `in.${name}.problem in.${name}.hint` : `in.${name}.hint`,
  }
  if (control === 'choice' || control === 'boolean') {
    const options = control === 'boolean' ? ['true', 'false'] : choices
    return (
      <select {...common}>
        {(!required || text === '') && <option value="">{withoutValue(field)}</option>}
        {text !== '' && !options.includes(text) && (
          <option value={text} selected>
            {text}
          </option>
        )}
        {options.map((one) => (
          <option key={one} value={one} selected={one === text}>
            {control === 'boolean' ? (one === 'true' ? 'yes (true)' : 'no (false)') : one}
          </option>
        ))}
      </select>
    )
  }
  if (control === 'long' || control === 'lines' || control === 'json')
    return (
      <textarea {...common} class={control === 'json' ? 'mono' : undefined} rows={rowsOf(text)} spellcheck={false}>
        {/* Browsers drop a line break at the start of a textarea, so add one. */}
        {`\n${text}`}
      </textarea>
    )
  // A date input would discard an invalid date, so that becomes a text input.
  if (control === 'date' && (text === '' || /^\d{4}-\d\d-\d\d$/.test(text)))
    return <input {...common} type="date" value={text} />
  const format = schema['format'] === 'date-time' && { placeholder: '2026-05-31T09:30:00Z' }
  const digits = control === 'number' && { inputmode: 'decimal' }
  return <input {...common} {...format} {...digits} type="text" value={text} autocomplete="off" />
}

function Ticks({ field, texts }: EntryProps): JSX.Element {
  return (
    <div class="ticks">
      {field.choices.map((one) => (
        <label key={one} class="tick">
          <input type="checkbox" name={`in.${field.name}`} value={one} checked={texts.includes(one)} />
          {one}
        </label>
      ))}
    </div>
  )
}

/** Type and description, without repeating choices or ranges that are already visible. */
function hintOf(field: PlayField): string {
  const description: unknown = field.schema['description']
  if (typeof description !== 'string') return takes(field)
  const [, range] = /, (\d.*)$/.exec(typeOf(field.schema)) ?? []
  const isSaid =
    range === undefined ? field.control === 'text' || field.control === 'long' : description.includes(range)
  return field.choices.length > 0 || isSaid ? description : `${takes(field)} ${description}`
}

function takes({ schema, control }: PlayField): string {
  const type = typeOf(schema)
  const said = `${type.charAt(0).toUpperCase()}${type.slice(1)}.`
  if (control === 'lines') return `One on each line. ${said}`
  if (control !== 'json') return said
  const parts = Object.keys(propertiesOf(schema['type'] === 'array' ? itemsOf(schema) : schema))
  return parts.length === 0 ? `As JSON. ${said}` : `As JSON, with ${parts.join(', ')}.`
}

function withoutValue({ schema, required }: PlayField): string {
  if (required) return 'choose'
  const usual: unknown = schema['default']
  return usual === undefined ? 'left out' : `default: ${typeof usual === 'string' ? usual : JSON.stringify(usual)}`
}

function rowsOf(text: string): number {
  return Math.min(14, Math.max(3, text.split('\n').length + 1))
}
