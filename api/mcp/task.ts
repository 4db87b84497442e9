import type { CallToolResult } from '@modelcontextprotocol/server'
import { decodeTime } from 'ulid'
import type { CallRow } from '../../core/calls/rows.ts'
import { answerOf } from '../../core/http/answers.ts'
import type { CallAnswer } from '../../core/http/answers.ts'
import type { Api } from '../../core/http/api.ts'
import { callResult, toolMessage, toolTerms } from './results.ts'

/** A call as a task of the tasks extension. Not stored itself, so it lasts as long as the call. */
interface Task {
  readonly taskId: string
  readonly status: 'working' | 'completed' | 'cancelled'
  readonly statusMessage?: string
  readonly createdAt: string
  readonly lastUpdatedAt: string
  readonly ttlMs: null
  readonly pollIntervalMs: number
  readonly result?: CallToolResult
}

/** The answer to the request that made the call. Needs no database, which may be down by now. */
export function newTask(answer: CallAnswer): CallToolResult & Task {
  return { content: [], resultType: 'task', ...taskOf(answer, new Date()) }
}

/** The task's current state. A call's errors are results: `failed` is for protocol errors only. */
export function taskNow(api: Api, row: CallRow): Task {
  const answer = answerOf(api, row, false, toolTerms)
  const task = taskOf(answer, row.updated_at)
  return task.status === 'completed' ? { ...task, result: callResult(answer) } : task
}

function taskOf(answer: CallAnswer, updatedAt: Date): Task {
  const { callId, outcome } = answer
  const { confirm_url: page } = answer.body
  const said = toolMessage(answer)
  // A task has no field for the URL.
  const statusMessage = said !== undefined && typeof page === 'string' ? `${said} confirm_url: ${page}` : said
  const open = outcome === 'awaiting_confirmation' || outcome === 'running'
  return {
    taskId: callId,
    status: open ? 'working' : outcome === 'cancelled' ? 'cancelled' : 'completed',
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt: new Date(decodeTime(callId.slice('call_'.length))).toISOString(),
    lastUpdatedAt: updatedAt.toISOString(),
    ttlMs: null,
    pollIntervalMs: Number(answer.headers['Retry-After'] ?? 1) * 1000,
  }
}
