import { InputRejected } from '../kit/failures.ts'
import { AppRefused } from '../kit/refusals.ts'
import { UnsafePath } from '../kit/request-line.ts'
import { UnknownShape, isFields } from '../kit/wire.ts'
import { ConnectorFailed } from './failed.ts'
import { checkPlain } from './plain.ts'

/** In characters: above what any app's answer produces. */
const longest = 8 * 1024 * 1024
const deepest = 100

/** A call's return value. Throws the connector's error as a host error, or `ConnectorFailed`. */
export function resultOf(text: string): unknown {
  if (text.length > longest) throw new ConnectorFailed('answered with more than is taken')
  const said: unknown = JSON.parse(text)
  if (!isFields(said)) throw new ConnectorFailed('answered with nothing')
  if (said['error'] !== undefined) throw thrown(said['error'])
  const { value } = said
  const problem = checkPlain(value, { deepest, refused: ['__proto__'] })
  if (problem !== undefined) throw new ConnectorFailed(`answered with what ${problem}`)
  return value
}

function thrown(error: unknown): Error {
  const { name, message, code, where } = isFields(error) ? error : {}
  switch (name) {
    case 'InputRejected':
      return new InputRejected(words(code, 100) || 'REJECTED', words(message, 1000))
    case 'UnsafePath':
      return new UnsafePath(words(message, 300))
    case 'AppRefused':
      return new AppRefused(words(code, 100) || 'refused', words(message, 1000))
    case 'UnknownShape':
      return Object.assign(new UnknownShape(words(message, 200) || 'not as it was known'), { where: words(where, 200) })
    case 'InternalError':
      return new ConnectorFailed(words(message, 200) === 'out of memory' ? 'took too much memory' : 'broke down')
    default:
      return new ConnectorFailed(`tripped: ${[errorName(name), words(where, 200)].filter(Boolean).join(' ')}`)
  }
}

function errorName(name: unknown): string {
  return typeof name === 'string' && /^[A-Z][A-Za-z]{0,39}$/.test(name) ? name : 'Error'
}

/** At most `most` characters, on one line. */
function words(value: unknown, most: number): string {
  return typeof value === 'string'
    ? value
        .slice(0, most)
        .toWellFormed()
        .replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    : ''
}
