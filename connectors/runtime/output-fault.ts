import type { TLocalizedValidationError } from 'typebox/error'
import { isFields } from '../kit/wire.ts'

/**
 * For operators: which output field does not match the endpoint's schema. Field names that the
 * schema does not have belong to the app and are left out.
 */
export function outputFault(schema: unknown, errors: readonly TLocalizedValidationError[]): string {
  const error = errors.find(({ keyword }) => keyword !== 'anyOf') ?? errors[0]
  if (error === undefined) return 'the output is no object'
  const names = new Set(namesIn(schema))
  const steps = error.instancePath.split('/').slice(1)
  const at = (of: readonly string[]): string =>
    of.reduce((path, step) => path + (/^\d+$/.test(step) ? `[${step}]` : `.${names.has(step) ? step : '*'}`), '$')
  if (error.keyword === 'required') {
    const [missing = '*'] = error.params.requiredProperties.filter((name) => names.has(name))
    return `field \`${missing}\` missing at ${at(steps)}`
  }
  if (error.keyword === 'additionalProperties') return `a field too many at ${at(steps)}`
  if (error.keyword === 'boolean') return `a field too many at ${at(steps.slice(0, -1))}`
  if (error.keyword === 'type') return `${at(steps)} is not ${[error.params.type].flat().join(' or ')}`
  return `${at(steps)} does not fit its ${error.keyword}`
}

function namesIn(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(namesIn)
  if (!isFields(schema)) return []
  const own = isFields(schema['properties']) ? Object.keys(schema['properties']) : []
  return [...own, ...Object.values(schema).flatMap(namesIn)]
}
