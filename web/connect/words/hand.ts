import type { Page } from 'playwright-core'
import type { Target } from './items.ts'

/** Clicks with the mouse where the element is in view and not covered; otherwise by script. */
export async function press(page: Page, target: Target): Promise<void> {
  const point = (await isOnTop(target)) ? await middleOf(target) : undefined
  if (point) await page.mouse.click(point.x, point.y)
  else await call(target, 'function () { this.click() }')
}

/** Replaces the text of a field. */
export async function fill(page: Page, target: Target, text: string): Promise<void> {
  await target.cdp.send('DOM.focus', { backendNodeId: target.node })
  await call(
    target,
    'function () { if (this.select) this.select(); else this.ownerDocument.getSelection().selectAllChildren(this) }',
  )
  if (text === '') await page.keyboard.press('Delete')
  else await target.cdp.send('Input.insertText', { text })
}

/** Chooses an option of a list, which a browser draws outside the page. */
export async function choose(option: Target): Promise<void> {
  await call(
    option,
    `function () {
      const list = this.closest('select')
      if (list === null) return this.click()
      this.selected = true
      for (const name of ['input', 'change']) list.dispatchEvent(new Event(name, { bubbles: true }))
    }`,
  )
}

/** Scrolls the element into view, then asks the page whether anything covers it. */
async function isOnTop(target: Target): Promise<boolean> {
  for (const { cdp, node } of [...target.within, target]) {
    try {
      await cdp.send('DOM.scrollIntoViewIfNeeded', { backendNodeId: node })
    } catch {
      // It has no box on the page, so it cannot be clicked.
      return false
    }
  }
  const top = await call(
    target,
    `function () {
      const { left, top, width, height } = this.getBoundingClientRect()
      const hit = this.getRootNode().elementFromPoint(left + width / 2, top + height / 2)
      return hit !== null && (this.contains(hit) || hit.closest('label')?.control === this)
    }`,
  )
  return top === true
}

async function middleOf({ cdp, node, within }: Target): Promise<{ x: number; y: number } | undefined> {
  let [x, y] = [0, 0]
  for (const outer of within) {
    const { model } = await outer.cdp.send('DOM.getBoxModel', { backendNodeId: outer.node })
    x += model.content[0] ?? 0
    y += model.content[1] ?? 0
  }
  const { model } = await cdp.send('DOM.getBoxModel', { backendNodeId: node })
  const [left = 0, top = 0, , , right = 0, bottom = 0] = model.border
  return { x: x + (left + right) / 2, y: y + (top + bottom) / 2 }
}

async function call({ cdp, node }: Target, functionDeclaration: string): Promise<unknown> {
  const { object } = await cdp.send('DOM.resolveNode', { backendNodeId: node })
  if (object.objectId === undefined) return undefined
  const { objectId } = object
  const { result } = await cdp.send('Runtime.callFunctionOn', {
    ...{ objectId, functionDeclaration, returnByValue: true, userGesture: true },
  })
  await cdp.send('Runtime.releaseObject', { objectId })
  return result.value
}
