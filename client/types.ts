import { writeFileSync } from 'node:fs'
import { Usage } from './answer.ts'
import type { Answer } from './answer.ts'
import { openApi } from './discovery.ts'
import { memberOf } from './endpoint-types.ts'

/** `callgate types`: declares the endpoints of all apps of a gateway for `Endpoints`. */
export async function types(url: string, file = 'callgate.d.ts', app?: string): Promise<Answer> {
  if (file !== '-' && !/\.d\.[cm]?ts$/.test(file))
    throw new Usage('Say which file to write, such as src/callgate.d.ts, or - for stdout.')
  const { paths, components } = await openApi(url)
  const members = Object.values(paths).flatMap(({ post }) => {
    const {
      operationId: id = '',
      summary = '',
      'x-callgate-access': access,
      'x-callgate-confirm': confirm,
    } = post ?? {}
    if (access === undefined || (app !== undefined && !id.startsWith(`${app}.`))) return []
    const [input, output] = [components.schemas[`${id}.input`], components.schemas[`${id}.output`]]
    return [memberOf({ id, summary, access, confirm: confirm === true, input, output }, '    ')]
  })
  if (members.length === 0) throw new Usage(`The gateway has no app ${app}: callgate apps lists them.`)
  const text = `// Written by \`callgate types\` from ${new URL(url).origin}. Run it again when apps were added or have changed.
// An error here about an app of '@callgate/client/apps': the client is older than the gateway. Install it again.
import type {} from '@callgate/client'

declare module '@callgate/client' {
  interface Endpoints {
${members.join('\n')}
  }
}
`
  if (file === '-') return { value: text }
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new Usage(`${file} cannot be written: ${error instanceof Error ? error.message : ''}`)
  }
  return { value: { file, endpoints: members.length }, text: `${file} has the types of ${members.length} actions.` }
}
