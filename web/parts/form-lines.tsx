import type { JSX } from 'preact'
import type { FormLine } from '../../connectors/runtime/forms/filled-form.ts'
import { isChanged } from './form-view.ts'
import { Text } from './text.tsx'
import { counted } from './time.tsx'

interface FormProps {
  readonly lines: readonly FormLine[]
  readonly appName: string
}

/** A form that is submitted whole: changed fields with both values, and unchanged ones. */
export function FormLines({ lines, appName }: FormProps): JSX.Element | null {
  if (lines.length === 0) return null
  const changed = lines.filter(isChanged)
  const kept = lines.filter((line) => !isChanged(line))
  const hidden = kept.filter(({ is }) => is === 'hidden')
  const seen = kept.filter(({ is }) => is === undefined || is === 'yes')
  return (
    <div data-read>
      <h3>What changes in the form in {appName}</h3>
      {changed.length === 0 && <p class="empty">Nothing: it is sent as it stands there.</p>}
      {changed.length > 0 && (
        <dl class="fields changes">
          {changed.map((line) => (
            <div class="field" key={line.name}>
              <dt>
                <LineName line={line} />
              </dt>
              <dd>
                {line.is !== 'suggested' && (
                  <div class="was">
                    <span class="hint">From</span>
                    <LineValue line={line} values={line.before} />
                  </div>
                )}
                <div>
                  <span class="hint">To</span>
                  <LineValue line={line} values={line.after ?? []} />
                </div>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {seen.length > 0 && (
        <>
          <h3>Kept as they are</h3>
          <Kept lines={seen} />
        </>
      )}
      {hidden.length > 0 && (
        <details data-aside>
          <summary>{counted(hidden.length, 'field')} that the page does not show, kept, too</summary>
          <Kept lines={hidden} />
        </details>
      )}
      {kept.map(
        (line) =>
          line.is === 'button' && (
            <p class="hint" key={line.name}>
              The button <LineName line={line} /> is pressed.
            </p>
          ),
      )}
    </div>
  )
}

function Kept({ lines }: Pick<FormProps, 'lines'>): JSX.Element {
  return (
    <dl class="pairs">
      {lines.map((line) => (
        <div key={line.name} class={line.before.some(({ value }) => value.length > 80) ? 'long' : undefined}>
          <dt>
            <LineName line={line} />
          </dt>
          <dd>
            <LineValue line={line} values={line.before} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Label of a field, else its name. */
export function LineName({ line: { name, label } }: { readonly line: FormLine }): JSX.Element {
  return label === null ? (
    <code>
      <Text value={name} />
    </code>
  ) : (
    <Text value={label} />
  )
}

/** A field's value as shown to the user. */
export function LineValue({ line, values }: { readonly line: FormLine; values: FormLine['before'] }): JSX.Element {
  if (line.is === 'yes') return <p class="value">{values.length > 0 ? 'yes' : 'no'}</p>
  if (values.length === 0) return <p class="empty">none</p>
  return (
    <>
      {values.map(({ value, text }, at) =>
        value === '' && (text ?? '') === '' ? (
          <p class="empty" key={at}>
            empty
          </p>
        ) : (
          <p class="value" key={at}>
            <Text value={text ?? value} />
            {text !== undefined && value !== '' && (
              <span class="hint">
                {' '}
                sent as <Text value={value} />
              </span>
            )}
          </p>
        ),
      )}
    </>
  )
}
