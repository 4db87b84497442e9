import type { Outcome } from '../../connectors/runtime/outcome.ts'
import type { ErrorFields } from '../../schemas/errors.ts'

/** The public fields of a refusal; `message` undefined: the app refused. */
export function refusalOf({ appCode, appMessage, isOwn }: Extract<Outcome, { kind: 'rejected' }>): {
  readonly fields: ErrorFields
  readonly message?: string
} {
  const fields = { app_code: appCode, app_message: appMessage }
  if (isOwn !== true) return { fields }
  return { fields, message: `Callgate refused this itself, by the app's own form, and sent nothing: ${appMessage}` }
}
