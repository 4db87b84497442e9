import type { Tool } from '@modelcontextprotocol/server'
import type { App } from '../../connectors/registry.ts'
import { actionTools } from './action-tools.ts'
import { appTools } from './app-tools.ts'
import { callTools } from './call-tools.ts'
import { connectionTools, findTools } from './find-tools.ts'
import type { McpTool } from './tool.ts'

/** The tools of one address, always in the same order. */
export interface Toolset {
  readonly definitions: Tool[]
  readonly instructions: string
  get(name: string): McpTool | undefined
}

export interface Toolsets {
  /** /mcp: a few tools for all apps. */
  readonly general: Toolset
  /** /mcp/{app}: each endpoint a tool of its own. */
  readonly ofApp: (app: App) => Toolset
  /** /mcp?apps=a,b: the same, with the app before each name. */
  readonly ofApps: (apps: readonly App[]) => Toolset
}

const everywhere =
  'Writes may wait for a person: then nothing has been sent, and confirm_url is where they approve. Give it to them, wait with get_call, never send the action again.'

export function createToolsets(all: readonly App[]): Toolsets {
  const alone = remembered((app: App) => appTools(app, true))
  const among = remembered((app: App) => appTools(app, false))
  const known = all.map(({ slug }) => slug).join(', ')
  return {
    general: toolset(
      [...findTools, ...actionTools, ...connectionTools, ...callTools],
      `Runs actions in the person's own accounts of web apps. search_actions, then get_action, then read_action or write_action. ${everywhere} Apps: ${known}.`,
    ),
    ofApp: remembered((app) => toolset([...alone(app), ...callTools], `${about(app)} ${everywhere}`)),
    ofApps: (apps) => toolset([...apps.flatMap(among), ...callTools], `${apps.map(about).join(' ')} ${everywhere}`),
  }
}

function about({ name, description }: App): string {
  return `${name}: ${description}`
}

/** Made when first asked for: most gateways serve few of the apps as tools. */
function remembered<T>(make: (app: App) => T): (app: App) => T {
  const made = new Map<string, T>()
  return (app) => {
    const value = made.get(app.slug) ?? make(app)
    made.set(app.slug, value)
    return value
  }
}

function toolset(tools: readonly McpTool[], instructions: string): Toolset {
  const byName = new Map(tools.map((one) => [one.definition.name, one]))
  if (byName.size < tools.length) throw new Error('two tools have the same name')
  return { definitions: tools.map(({ definition }) => definition), instructions, get: (name) => byName.get(name) }
}
