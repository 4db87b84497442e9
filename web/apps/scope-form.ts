import type { Context } from '../../core/context.ts'
import { readSettings, setScope } from '../../core/accounts/settings.ts'
import type { Scope } from '../../core/accounts/settings.ts'
import type { App } from '../../connectors/registry.ts'
import type { Form } from '../form.ts'
import type { WrongScope } from './scope.tsx'

/** Saves the scope; returns the errors, if any. */
export async function changeScope(ctx: Context, owner: string, app: App, form: Form): Promise<WrongScope | undefined> {
  const mode = (['all', 'read', 'chosen'] as const).find((known) => known === form.get('mode'))
  const ticked = [...new Set(form.all('endpoint'))]
  const wrong = (problem: string): WrongScope => ({ mode, endpoints: ticked, problem })
  if (mode === undefined) return wrong('Choose what agents may do in this app.')
  if (ticked.some((name) => !app.endpoints.has(name)))
    return wrong(`${app.name} has no such action. Tick some of these.`)
  const before: Scope = (await readSettings(ctx, owner, app.slug)).scope
  // Ticks from before stay in the form when another mode is selected.
  if (mode !== 'chosen' && before.mode !== 'chosen' && ticked.length > 0)
    return wrong('There are actions ticked: choose “Only what is ticked below”, or clear them.')
  const endpoints = mode === 'chosen' ? ticked : []
  if (before.mode === mode && before.endpoints.join() === endpoints.join()) return undefined
  await setScope(ctx, owner, app.slug, mode, endpoints)
  return undefined
}
