import { readFileSync } from 'node:fs'
import type { ConnectionLike } from '@temporalio/client'
import { sleep } from '../sleep.ts'
import { grpc, grpcCode } from './grpc.ts'

const names = JSON.parse(
  readFileSync(new URL('../../engine/search-attributes.json', import.meta.url), 'utf8'),
) as readonly string[]

/** `IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD` of the API. */
const keyword = 2
/** Temporal's frontends reload namespaces every few seconds. In ms. */
const longestUntilKnown = 30_000

type Services = Pick<ConnectionLike, 'workflowService' | 'operatorService'>

/** Adds missing search attributes and waits until filters accept them. Safe to run concurrently. */
export async function addSearchAttributes(services: Services, namespace: string): Promise<void> {
  // Check first: if none is missing, operator rights are not needed.
  if (await filtersByAll(services, namespace)) return
  const missing = await missingIn(services, namespace)
  if (missing.length > 0) await add(services, namespace, missing)
  const until = Date.now() + longestUntilKnown
  while (!(await filtersByAll(services, namespace)))
    if (Date.now() > until) throw new Error('the new search attributes are not known yet')
    else await sleep(500)
}

async function add(services: Services, namespace: string, missing: readonly string[]): Promise<void> {
  const searchAttributes = Object.fromEntries(missing.map((name) => [name, keyword]))
  try {
    await services.operatorService.addSearchAttributes({ namespace, searchAttributes })
  } catch (error) {
    // Another process may have added them.
    const still = await missingIn(services, namespace)
    if (still.length > 0)
      throw new Error(`the namespace lacks the search attributes ${still.join(', ')}`, { cause: error })
  }
}

async function missingIn({ operatorService }: Services, namespace: string): Promise<readonly string[]> {
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace })
  return names.filter((name) => customAttributes?.[name] === undefined)
}

async function filtersByAll({ workflowService }: Services, namespace: string): Promise<boolean> {
  const query = names.map((name) => `${name} = 'none'`).join(' AND ')
  try {
    await workflowService.countWorkflowExecutions({ namespace, query })
    return true
  } catch (error) {
    // The server's response to a filter by an unknown search attribute.
    if (grpcCode(error) === grpc.invalidArgument) return false
    throw error
  }
}
