import { errorInfo } from '../../schemas/errors.ts'
import type { ErrorCode } from '../../schemas/errors.ts'
import { errorCatalog } from './error-catalog.ts'
import type { ErrorField } from './error-catalog.ts'

export const errorCodes = Object.keys(errorCatalog) as readonly ErrorCode[]

export interface ErrorDescription {
  readonly code: ErrorCode
  readonly title: string
  readonly status: number
  readonly remedy: string
  readonly happened: string
  readonly advice: string
  readonly fields: Readonly<Record<string, ErrorField>>
  /** An example body, as an agent receives it. */
  readonly example: Readonly<Record<string, unknown>>
}

/** Documentation of a code; undefined: unknown code. */
export function describeError(code: string, publicUrl: string): ErrorDescription | undefined {
  const known = errorCodes.find((one) => one === code)
  if (known === undefined) return undefined
  const { title, happened, advice, message, fields = {} } = errorCatalog[known]
  const { status, remedy } = errorInfo(known)
  const here = (text: string): string => text.replaceAll('{public_url}', publicUrl)
  const examples: Record<string, unknown> = {}
  for (const [name, { example }] of Object.entries(fields))
    examples[name] = typeof example === 'string' ? here(example) : example
  return {
    code: known,
    title,
    status,
    remedy,
    happened,
    advice: here(advice),
    fields,
    example: {
      error: known,
      message: message ?? remedy,
      request_id: 'req_01JZX3T5N8Q4V7W9Y2B6C1D0EF',
      ...examples,
    },
  }
}
