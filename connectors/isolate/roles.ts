import { isFreeText } from '../kit/free-text.ts'
import { isFields } from '../kit/wire.ts'

/**
 * Checks a function's return value by the name it is declared under, because callers trust its
 * type; undefined: it is valid. Functions not listed may return any data.
 */
export function roleProblem(path: readonly (string | number)[], value: unknown): string | undefined {
  const name = String(path.at(-1))
  const role = path.at(-2) === 'segments' ? isSegment : Object.hasOwn(roles, name) ? roles[name] : undefined
  return role === undefined || role(value) ? undefined : `answered ${name} with what it must not be`
}

const roles: Readonly<Record<string, (value: unknown) => boolean>> = {
  encode: (value) =>
    isFields(value) &&
    ['query', 'form', 'headers', 'multipart'].every((part) => value[part] === undefined || isFields(value[part])),
  decode: isFields,
  failure: (value) => value === undefined || isFailure(value),
  version: (value) => value === null || isShort(value, 100),
  account: (value) =>
    value === null ||
    (isFields(value) && isShort(value['id'], 200) && value['id'] !== '' && isShort(value['label'], 200)),
}

function isSegment(value: unknown): boolean {
  return isText(value) || isFreeText(value) || (Array.isArray(value) && value.every(isText))
}

function isFailure(value: unknown): boolean {
  if (!isFields(value)) return false
  const { kind, rule, retryAfterMs, appCode, appMessage, status } = value
  switch (kind) {
    case 'blocked':
    case 'auth_expired':
    case 'captcha':
    case 'mfa':
      return true
    case 'changed':
      return isShort(rule, 1000)
    case 'rate_limited':
      return typeof retryAfterMs === 'number' && retryAfterMs >= 0 && retryAfterMs <= 3_600_000
    case 'rejected':
      return isShort(appCode, 100) && appCode !== '' && isShort(appMessage, 1000)
    case 'app_error':
      return Number.isInteger(status)
    default:
      return false
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isShort(value: unknown, most: number): boolean {
  return isText(value) && value.length <= most
}
