import { isRecord } from '../platform/body.ts'
import { json } from '../platform/replies.ts'
import { data, free } from '../platform/routes.ts'
import { Refusal, type Reply, type Route, type SignedIn } from '../platform/types.ts'
import { billWrites } from './bill-writes.ts'
import type { Operation } from './operation.ts'
import { reads } from './reads.ts'
import { writes } from './writes.ts'

const known = { ...reads, ...writes, ...billWrites }
export type OperationName = keyof typeof known

const operations: ReadonlyMap<string, Operation> = new Map<string, Operation>(Object.entries(known))

/** What a page's form does is what the operation does: both doors obey the same rules. */
export const perform = (
  request: SignedIn,
  name: OperationName,
  variables: Record<string, unknown>,
): Record<string, unknown> => known[name].run(request, variables)

const fields = ['operationName', 'variables']

function execute(request: SignedIn): Record<string, unknown> {
  const { json: body } = request
  if (!isRecord(body)) throw new Refusal(400, 'BODY_INVALID', 'The body must be a JSON object.')
  if (body['query'] !== undefined) {
    throw new Refusal(400, 'PERSISTED_ONLY', 'Documents of your own are not executed: name an operation.', 'query')
  }
  const stray = Object.keys(body).find((name) => !fields.includes(name))
  if (stray !== undefined) throw new Refusal(400, 'BODY_INVALID', `There is no field ${stray}.`, stray)
  const name = body['operationName']
  const operation = typeof name === 'string' ? operations.get(name) : undefined
  if (!operation) throw new Refusal(400, 'OPERATION_UNKNOWN', 'There is no operation of this name.', 'operationName')
  return operation.run(request, body['variables'])
}

/** An operation that is refused is still an answered request: 200. What never reaches an operation keeps its status. */
function graphql(request: SignedIn): Reply {
  try {
    return json({ data: execute(request) })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { code, message, field } = error.problem
    throw new Refusal(200, code, message, field)
  }
}

/** What the app's own pages start with: the token for the header, and what belongs to every page. */
const boot = (request: SignedIn): Reply => json({ xsrf: request.viewer.csrf, ...reads.Studio.run(request, {}) })

export const graphqlRoutes: readonly Route[] = [free('GET /boot.json', boot), data('POST /graphql', graphql)]
