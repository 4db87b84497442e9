import type { FormLine } from '../../connectors/runtime/forms/filled-form.ts'
import type { Rendered } from '../../connectors/runtime/rendered.ts'
import { openPayload, placeOf } from '../../core/calls/payload.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import type { Context } from '../../core/context.ts'

/** Fields of a form that a call submits whole; empty for other calls. `row` must be decryptable. */
export function formOf(
  ctx: Pick<Context, 'secrets'>,
  row: Pick<CallRow, 'id' | 'owner' | 'account' | 'data_key' | 'request'>,
): readonly FormLine[] {
  if (row.request === null) return []
  return (openPayload(ctx.secrets, placeOf(row), 'request', row.request) as Rendered).form?.lines ?? []
}

/** A form field that changed since the approval; undefined: it was added or removed. */
export interface ChangedLine {
  readonly before: FormLine | undefined
  readonly after: FormLine | undefined
}

export function changedLines(before: readonly FormLine[], now: readonly FormLine[]): readonly ChangedLine[] {
  const names = new Set([...now, ...before].map(({ name }) => name))
  return [...names]
    .map((name) => ({ before: lineNamed(before, name), after: lineNamed(now, name) }))
    .filter((one) => said(one.before) !== said(one.after))
}

export function isChanged({ before, after }: FormLine): boolean {
  return after !== undefined && values(before) !== values(after)
}

const lineNamed = (lines: readonly FormLine[], name: string) => lines.find((one) => one.name === name)
const values = (list: FormLine['before']): string => JSON.stringify(list.map(({ value }) => value))
const said = (line: FormLine | undefined): string | undefined => line && values(line.before)
