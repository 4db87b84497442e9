import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { CallToolResult, McpServer } from '@modelcontextprotocol/server'
import { confirmUrl } from '../../core/calls/record.ts'
import { ownCall } from '../http/call-records.ts'
import type { CallAnswer } from '../../core/http/answers.ts'
import { cardType, cardUri } from './card-kind.ts'
import { cardPage } from './card-page.ts'
import type { Session } from './tool.ts'

const resource = {
  uri: cardUri,
  name: 'waiting',
  title: 'What waits for your approval',
  description:
    'A card that shows what an action would send. The person approves or rejects it on its page, never here.',
  mimeType: cardType,
}
/** It loads, contacts and frames nothing. */
const ui = {
  csp: { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] },
  prefersBorder: true,
}

/** The card is empty and the same for all users: the result of a tool brings its data. */
export function serveCard({ server }: McpServer): void {
  server.setRequestHandler('resources/list', () => ({ resources: [resource] }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }))
  server.setRequestHandler('resources/read', ({ params }) => {
    const { uri } = params
    if (uri !== cardUri)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no such resource. There is ${cardUri}.`, {
        uri,
      })
    return { contents: [{ uri, mimeType: cardType, text: cardPage, _meta: { ui } }] }
  })
}

/** Adds the card and its time, for the user, not the model. Never throws: the call is accepted. */
export async function carded(
  { api, key, cardOf }: Session,
  { callId }: Pick<CallAnswer, 'callId'>,
  result: CallToolResult,
): Promise<CallToolResult> {
  try {
    const html = await cardOf(api.ctx, await ownCall(api, key, callId))
    if (html === undefined) return result
    const card = {
      html,
      url: confirmUrl(api.ctx.config.publicUrl, callId),
      call_id: callId,
      at: new Date().toISOString(),
    }
    return { ...result, _meta: { ...result._meta, 'callgate/card': card } }
  } catch (error) {
    api.ctx.log.error({ call: callId, err: error }, 'a call waits without a card')
    return result
  }
}
