import type { CDPSession, Frame, Page } from 'playwright-core'

const axTreeOf = (cdp: CDPSession, frameId: string) => cdp.send('Accessibility.getFullAXTree', { frameId })
const frameTreeOf = (cdp: CDPSession) => cdp.send('Page.getFrameTree')
type FrameTree = Awaited<ReturnType<typeof frameTreeOf>>['frameTree']
export type AxNode = Awaited<ReturnType<typeof axTreeOf>>['nodes'][number]

/** One document's accessibility tree, as the browser provides it to screen readers. */
export interface Tree {
  /** The browser's id of the frame. */
  readonly frame: string
  readonly url: string
  readonly cdp: CDPSession
  readonly nodes: readonly AxNode[]
  /** Details of fields and frames, by backend DOM node id. */
  readonly about: ReadonlyMap<number, About>
}

interface About {
  /** The frame that the element shows. */
  readonly frame: string | undefined
  /** A password field: what the page hides is hidden here, too. */
  readonly secret: boolean
}

/** Larger pages are not read: no user could listen to them, and their size has no bound. */
const mostNodes = 20_000
const mostCharacters = 2_000_000
const mostFrames = 20
const mostAbout = 200

const sessions = new WeakMap<Page | Frame, Promise<CDPSession | null>>()

/**
 * All documents that a page shows, its own first; null when they are too large. Throws when the
 * page closes meanwhile.
 */
export async function treesOf(page: Page): Promise<readonly Tree[] | null> {
  const main = await sessionOf(page, page)
  const others = await Promise.all(
    page
      .frames()
      .slice(1, mostFrames)
      .map((frame) => sessionOf(page, frame)),
  )
  const trees: Tree[] = []
  for (const cdp of [main, ...others]) {
    if (cdp === null) continue
    const read = await treesIn(cdp, mostFrames - trees.length)
    if (read === null) return null
    trees.push(...read)
  }
  return trees
}

/** Null for a frame in its parent's process: the parent's session covers it. */
function sessionOf(page: Page, of: Page | Frame): Promise<CDPSession | null> {
  const known = sessions.get(of)
  if (known !== undefined) return known
  const made = page
    .context()
    .newCDPSession(of)
    .catch((error: unknown) => {
      if (of === page) throw error
      return null
    })
  const forget = (): void => void sessions.delete(of)
  // A frame may move to another process, or back, when it shows another site.
  void made.then((cdp) => (cdp === null ? setTimeout(forget, 2_000).unref() : cdp.on('close', forget)), forget)
  sessions.set(of, made)
  return made
}

async function treesIn(cdp: CDPSession, most: number): Promise<readonly Tree[] | null> {
  const { nodes } = await cdp.send('Memory.getDOMCounters')
  if (nodes > mostNodes) return null
  const { frameTree } = await frameTreeOf(cdp)
  const trees: Tree[] = []
  let left = mostCharacters
  for (const { id, url } of framesOf(frameTree).slice(0, most)) {
    left -= await lengthOf(cdp, id)
    if (left < 0) return null
    const { nodes: all } = await axTreeOf(cdp, id)
    trees.push({ frame: id, url, cdp, nodes: all, about: await aboutOf(cdp, all) })
  }
  return trees
}

function framesOf({ frame, childFrames = [] }: FrameTree): readonly { id: string; url: string }[] {
  return [{ id: frame.id, url: frame.url }, ...childFrames.flatMap(framesOf)]
}

/** Number of characters of a document, measured where its own scripts cannot falsify it. */
async function lengthOf(cdp: CDPSession, frameId: string): Promise<number> {
  const { executionContextId } = await cdp.send('Page.createIsolatedWorld', { frameId, worldName: 'callgate' })
  const { result } = await cdp.send('Runtime.evaluate', {
    contextId: executionContextId,
    returnByValue: true,
    expression: `[...document.querySelectorAll('input, textarea')].reduce((sum, { value }) => sum + value.length, document.documentElement?.outerHTML.length ?? 0)`,
  })
  return Number(result.value)
}

async function aboutOf(cdp: CDPSession, nodes: readonly AxNode[]): Promise<ReadonlyMap<number, About>> {
  const asked = nodes
    .filter(({ ignored, role }) => !ignored && (role?.value === 'Iframe' || isEntry(String(role?.value))))
    .flatMap(({ backendDOMNodeId }) => (backendDOMNodeId === undefined ? [] : [backendDOMNodeId]))
    .slice(0, mostAbout)
  const told = await Promise.all(
    asked.map(async (backendNodeId) => {
      const { node } = await cdp.send('DOM.describeNode', { backendNodeId })
      const attributes = node.attributes ?? []
      const type = attributes[attributes.findIndex((name, at) => at % 2 === 0 && name === 'type') + 1]
      const secret = attributes.includes('type') && type?.toLowerCase() === 'password'
      return [backendNodeId, { frame: node.frameId, secret }] as const
    }),
  )
  return new Map(told)
}

export function isEntry(role: string): boolean {
  return ['textbox', 'searchbox', 'spinbutton', 'combobox', 'Date', 'DateTime', 'InputTime'].includes(role)
}
