import type { JSX } from 'preact'
import type { App } from '../../connectors/registry.ts'
import type { Viewer } from '../parts/layout.tsx'
import { ActionForm } from '../parts/dashboard.tsx'
import { ActionTicks } from './action-ticks.tsx'
import type { TypedActions } from './typed-actions.ts'

/** Form values as typed, with errors. */
export interface WrongKeyForm {
  /** Null: a new key. */
  readonly keyId: string | null
  readonly name: string
  readonly days: string
  readonly apps: TypedApps
  readonly seesAll: boolean
  readonly readOnly: boolean
  readonly actions: TypedActions
  /** `key`: why no key can be created now. */
  readonly problems: Readonly<Partial<Record<'name' | 'days' | 'apps' | 'actions' | 'key', string>>>
}

export interface TypedApps {
  /** All apps, including future ones. */
  readonly all: boolean
  readonly ticked: readonly string[]
}

const expiries = [
  ['', 'never'],
  ['30', 'in 30 days'],
  ['90', 'in 90 days'],
  ['365', 'in a year'],
] as const

export interface KeyFormProps {
  readonly viewer: Viewer
  readonly apps: readonly App[]
  readonly wrong: WrongKeyForm | undefined
}

export function NewKeyForm({ viewer, apps, wrong }: KeyFormProps): JSX.Element {
  const { problems = {} } = wrong ?? {}
  return (
    <ActionForm viewer={viewer} action="/keys" label="A new key">
      {wrong && (
        <p class="notice bad" role="alert">
          No key was made yet{problems.key === undefined ? ': a field needs another look.' : `. ${problems.key}`}
        </p>
      )}
      <label>
        Name
        <input
          type="text"
          name="name"
          required
          maxLength={80}
          placeholder="Front-desk assistant"
          autocomplete="off"
          value={wrong?.name}
          autofocus={problems.name !== undefined}
          {...marks('name', problems.name)}
        />
        <Problem of="name" text={problems.name} />
      </label>
      <label>
        Expires
        <select name="days" {...marks('days', problems.days)}>
          {expiries.map(([days, label]) => (
            <option key={days} value={days} selected={days === (wrong?.days ?? '90')}>
              {label}
            </option>
          ))}
        </select>
        <Problem of="days" text={problems.days} />
      </label>
      <AppTicks apps={apps} typed={wrong?.apps ?? { all: true, ticked: [] }} problem={problems.apps} />
      <RightsChoice readOnly={wrong?.readOnly ?? false} />
      <SomeActions apps={apps} typed={wrong?.actions ?? { only: [], ticked: [] }} problem={problems.actions} />
      <SightTick seesAll={wrong?.seesAll ?? false} />
      <button class="primary" type="submit">
        Make the key
      </button>
    </ActionForm>
  )
}

function marks(of: string, problem: string | undefined) {
  return problem === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': `problem-${of}` }
}

function Problem({ of, text }: { readonly of: string; readonly text: string | undefined }): JSX.Element | null {
  return text === undefined ? null : (
    <span class="problem" id={`problem-${of}`}>
      {text}
    </span>
  )
}

/** Actions per app, folded unless some are limited. */
export function SomeActions(props: {
  readonly apps: readonly App[]
  readonly typed: TypedActions
  readonly problem?: string | undefined
}): JSX.Element {
  const { only, ticked } = props.typed
  return (
    <details open={only.length + ticked.length > 0 || props.problem !== undefined}>
      <summary>Only some actions of an app…</summary>
      <ActionTicks {...props} />
    </details>
  )
}

/** Read and write, or read-only. */
export function RightsChoice({ readOnly }: { readonly readOnly: boolean }): JSX.Element {
  return (
    <fieldset>
      <legend>Rights</legend>
      <label class="tick">
        <input type="radio" name="rights" value="write" checked={!readOnly} /> Read, and ask for changes
      </label>
      <label class="tick">
        <input type="radio" name="rights" value="read" checked={readOnly} /> Only read: it cannot change anything in an
        app
      </label>
    </fieldset>
  )
}

/** Call visibility, with an explanation. */
export function SightTick({ seesAll }: { readonly seesAll: boolean }): JSX.Element {
  return (
    <fieldset>
      <legend>Calls it sees</legend>
      <label class="tick">
        <input type="checkbox" name="sees_all" value="yes" checked={seesAll} /> All of my calls, not only its own
      </label>
      <p class="hint">
        A key sees the calls it made itself. With this ticked it also sees those of your other keys in the apps it may
        use: their results, and where your credits went. It can take them back before they are sent, but cannot approve
        any.
      </p>
    </fieldset>
  )
}

export function AppTicks(props: {
  readonly apps: readonly App[]
  readonly typed: TypedApps
  readonly problem: string | undefined
}): JSX.Element {
  const { apps, typed, problem } = props
  return (
    <fieldset {...marks('apps', problem)}>
      <legend>Apps</legend>
      <label class="tick">
        <input type="radio" name="all" value="yes" checked={typed.all} /> All apps, including future ones
      </label>
      <label class="tick">
        <input type="radio" name="all" value="no" checked={!typed.all} /> Only some apps
      </label>
      <div class="ticks some">
        {apps.map(({ slug, name }) => (
          <label key={slug} class="tick">
            <input type="checkbox" name="app" value={slug} checked={typed.ticked.includes(slug)} /> {name}
          </label>
        ))}
      </div>
      <Problem of="apps" text={problem} />
    </fieldset>
  )
}
