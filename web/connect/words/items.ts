import { isEntry } from './trees.ts'
import type { AxNode, Tree } from './trees.ts'

interface Named {
  readonly id: string
  readonly name: string
}

/** A page's content as a screen reader presents it, item by item, in reading order. */
export type Item =
  | { readonly kind: 'heading'; readonly id: string; readonly level: number; readonly text: string }
  | { readonly kind: 'text'; readonly id: string; readonly text: string; readonly alert: boolean }
  | ({
      readonly kind: 'button' | 'link'
      readonly disabled: boolean
      readonly expanded: boolean | undefined
      readonly pressed: boolean | undefined
      readonly selected: boolean
    } & Named)
  | ({
      readonly kind: 'tick'
      readonly role: 'checkbox' | 'radio' | 'switch'
      readonly checked: 'true' | 'false' | 'mixed'
      readonly disabled: boolean
    } & Named)
  | ({
      readonly kind: 'field'
      readonly value: string
      readonly hint: string
      readonly secret: boolean
      readonly lines: boolean
      readonly required: boolean
      readonly wrong: boolean
      readonly disabled: boolean
      readonly focused: boolean
    } & Named)
  | ({
      readonly kind: 'choice'
      readonly options: readonly (Named & { readonly selected: boolean })[]
      readonly disabled: boolean
    } & Named)
  /** The items that follow come from another host than the page. */
  | { readonly kind: 'frame'; readonly id: string; readonly host: string }

export interface Target {
  readonly cdp: Tree['cdp']
  readonly node: number
  /** The frame elements around it, outermost first, whose documents have their own sessions. */
  readonly within: readonly { readonly cdp: Tree['cdp']; readonly node: number }[]
}

export interface Read {
  readonly title: string
  readonly items: readonly Item[]
  /** What can be acted on, by id. */
  readonly targets: ReadonlyMap<string, Target>
}

const mostItems = 400
const mostOptions = 300
const longestName = 300
const longestValue = 2000
const deepest = 1000

/** Roles that are part of the sentence around them. */
const inline = new Set(['strong', 'emphasis', 'code', 'mark', 'subscript', 'superscript', 'time', 'Abbr', 'insertion'])
const pressed: Readonly<Record<string, 'button' | 'link'>> = {
  ...{ button: 'button', link: 'link', tab: 'button', menuitem: 'button', option: 'button', treeitem: 'button' },
  ...{ DisclosureTriangle: 'button', PopUpButton: 'button', menuitemcheckbox: 'button', menuitemradio: 'button' },
}
const ticked: Readonly<Record<string, 'checkbox' | 'radio' | 'switch'>> = {
  ...{ checkbox: 'checkbox', radio: 'radio', switch: 'switch' },
}

/** `numberOf`: the number of a session, always the same. */
export function itemsOf(trees: readonly Tree[], numberOf: (cdp: Tree['cdp']) => number): Read {
  const [first] = trees
  const walk = new Walk(trees, numberOf)
  if (first) walk.tree(first, [])
  const root = first?.nodes[0]
  return { title: short(root?.name?.value, longestName), items: withoutLabels(walk.items), targets: walk.targets }
}

class Walk {
  readonly items: Item[] = []
  readonly targets = new Map<string, Target>()
  readonly #byFrame: ReadonlyMap<string, Tree>
  readonly #host: string
  readonly #numberOf: (cdp: Tree['cdp']) => number
  /** The block that the last text belongs to: more text of that block is appended. */
  #block: string | undefined

  constructor(trees: readonly Tree[], numberOf: (cdp: Tree['cdp']) => number) {
    this.#byFrame = new Map(trees.map((tree) => [tree.frame, tree]))
    this.#host = hostOf(trees[0])
    this.#numberOf = numberOf
  }

  tree(tree: Tree, within: Target['within']): void {
    const nodes = new Map(tree.nodes.map((node) => [node.nodeId, node]))
    const [root] = tree.nodes
    if (root) new Document(tree, nodes, within, this).read(root, { block: root.nodeId, alert: false, depth: 0 })
  }

  frame(id: string | undefined, from: Tree, node: number, within: Target['within']): void {
    const inner = id === undefined ? undefined : this.#byFrame.get(id)
    if (inner === undefined || inner === from) return
    const host = hostOf(inner)
    if (host !== '' && host !== this.#host) this.add({ kind: 'frame', id: `frame-${id}`, host })
    this.tree(inner, inner.cdp === from.cdp ? within : [...within, { cdp: from.cdp, node }])
  }

  /** Returns whether there was room for it. */
  add(item: Item): boolean {
    this.#block = undefined
    if (this.items.length > mostItems) return false
    const isLast = this.items.length === mostItems
    this.items.push(
      isLast ? { kind: 'text', id: 'more', text: 'There is more on this page than is read here.', alert: false } : item,
    )
    return !isLast
  }

  text(id: string, block: string, text: string, alert: boolean): void {
    const last = this.items.at(-1)
    if (this.#block === block && last?.kind === 'text')
      this.items[this.items.length - 1] = { ...last, text: short(`${last.text} ${text}`, longestValue) }
    else if (this.add({ kind: 'text', id, text, alert })) this.#block = block
  }

  idOf(cdp: Tree['cdp'], node: number): string {
    return `${this.#numberOf(cdp)}-${node}`
  }
}

interface In {
  readonly block: string
  readonly alert: boolean
  readonly depth: number
  /** Its text was already read. */
  readonly said?: boolean
}

class Document {
  readonly #tree: Tree
  readonly #nodes: ReadonlyMap<string, AxNode>
  readonly #within: Target['within']
  readonly #walk: Walk

  constructor(tree: Tree, nodes: ReadonlyMap<string, AxNode>, within: Target['within'], walk: Walk) {
    this.#tree = tree
    this.#nodes = nodes
    this.#within = within
    this.#walk = walk
  }

  read(node: AxNode, place: In): void {
    if (place.depth > deepest) return
    const role = node.ignored ? '' : String(node.role?.value ?? '')
    const { backendDOMNodeId: at } = node
    const inside = { ...place, depth: place.depth + 1 }
    if (at === undefined || role === '') return this.#inner(node, inside)
    const id = this.#walk.idOf(this.#tree.cdp, at)
    const name = short(node.name?.value, longestName)
    if (role === 'StaticText') {
      const text = short(node.name?.value, longestValue)
      if (place.said !== true && text !== '') this.#walk.text(id, place.block, text, place.alert)
    } else if (role === 'heading') {
      const text = name === '' ? this.#textOf(node) : name
      if (text !== '') this.#walk.add({ kind: 'heading', id, level: Number(property(node, 'level') ?? 2), text })
      this.#inner(node, { ...inside, said: true })
    } else if (role === 'Iframe') this.#walk.frame(this.#tree.about.get(at)?.frame, this.#tree, at, this.#within)
    else if (role === 'image' || role === 'meter' || role === 'slider' || role === 'progressbar') {
      const value = short(node.value?.value, longestName)
      if (name !== '' && place.said !== true)
        this.#walk.add({ kind: 'text', id, text: `${role}: ${name}${value === '' ? '' : `, ${value}`}`, alert: false })
    } else if (!this.#acted(node, role, id, at, name)) {
      const block = inline.has(role) ? place.block : node.nodeId
      this.#inner(node, { ...inside, block, alert: place.alert || role === 'alert' || role === 'status' })
    }
  }

  /** Adds an element that can be acted on. Returns whether it is one. */
  #acted(node: AxNode, role: string, id: string, at: number, name: string): boolean {
    const disabled = property(node, 'disabled') === true
    const editable = property(node, 'editable') !== undefined
    const button = pressed[role] ?? (this.#isPlainButton(node, role) ? 'button' : undefined)
    const tick = ticked[role]
    const options = role === 'combobox' && !editable ? this.#options(node) : []
    const said = (usual: string): string => name || this.#textOf(node) || short(node.description?.value, 80) || usual
    if (options.length > 0)
      this.#walk.add({ kind: 'choice', id, name: said('A list without a name'), options, disabled })
    else if ((isEntry(role) && (editable || role !== 'combobox')) || (editable && property(node, 'focusable') === true))
      this.#walk.add({
        ...{ kind: 'field', id, disabled: disabled || property(node, 'readonly') === true },
        name: name || short(node.description?.value, 80) || 'A field without a name',
        // The value as shown: dots where the page shows dots.
        value: this.#typedIn(node),
        hint: name === '' ? '' : short(node.description?.value, longestName),
        secret: this.#tree.about.get(at)?.secret === true || /^•+$/.test(this.#typedIn(node)),
        lines: property(node, 'multiline') === true || property(node, 'editable') === 'richtext',
        required: property(node, 'required') === true,
        wrong: ![undefined, 'false', false].includes(property(node, 'invalid') as never),
        focused: property(node, 'focused') === true,
      })
    else if (tick !== undefined)
      this.#walk.add({
        ...{ kind: 'tick', id, role: tick, disabled, name: said(`A ${tick} without a name`) },
        checked: checkedOf(property(node, 'checked')),
      })
    else if (button !== undefined || role === 'combobox')
      this.#walk.add({
        ...{ kind: button ?? 'button', id, disabled, name: said(`A ${button ?? 'list'} without a name`) },
        expanded: boolean(property(node, 'expanded')),
        pressed: boolean(property(node, 'pressed')),
        selected: property(node, 'selected') === true,
      })
    else return false
    this.#walk.targets.set(id, { cdp: this.#tree.cdp, node: at, within: this.#within })
    return true
  }

  /** A plain element used as a button: focusable, short text, and nothing focusable inside. */
  #isPlainButton(node: AxNode, role: string): boolean {
    if (role !== 'generic' || property(node, 'focusable') !== true || property(node, 'editable') !== undefined)
      return false
    const text = this.#textOf(node)
    return text !== '' && text.length <= 80 && !this.#all(node).some((one) => property(one, 'focusable') === true)
  }

  #options(node: AxNode): (Named & { readonly selected: boolean })[] {
    const cdp = this.#tree.cdp
    return this.#all(node)
      .filter(({ ignored, role }) => !ignored && role?.value === 'option')
      .slice(0, mostOptions)
      .flatMap((option) => {
        const { backendDOMNodeId: at } = option
        if (at === undefined) return []
        const id = this.#walk.idOf(cdp, at)
        this.#walk.targets.set(id, { cdp, node: at, within: this.#within })
        return [{ id, name: short(option.name?.value, 100), selected: property(option, 'selected') === true }]
      })
  }

  #inner(node: AxNode, place: In): void {
    for (const child of this.#children(node)) this.read(child, place)
  }

  #children({ childIds = [] }: AxNode): readonly AxNode[] {
    return childIds.flatMap((id) => this.#nodes.get(id) ?? [])
  }

  /** Its descendants in page order, as many as a name or a list needs. */
  #all(node: AxNode): readonly AxNode[] {
    const found: AxNode[] = []
    const open = [...this.#children(node)].toReversed()
    for (let next = open.pop(); next !== undefined && found.length < 3 * mostOptions; next = open.pop()) {
      found.push(next)
      open.push(...this.#children(next).toReversed())
    }
    return found
  }

  #textOf(node: AxNode): string {
    return short(this.#texts(node).map(textIn).join(' '), longestName)
  }

  #typedIn(node: AxNode): string {
    const typed = this.#texts(node).filter((one) => property(one, 'editable') !== undefined)
    return short(typed.map(textIn).join(''), longestValue)
  }

  #texts(node: AxNode): readonly AxNode[] {
    return this.#all(node).filter(({ ignored, role }) => !ignored && role?.value === 'StaticText')
  }
}

/** Drops labels that repeat the name of the field before or after them. */
function withoutLabels(items: readonly Item[]): readonly Item[] {
  return items.filter((item, at) => {
    if (item.kind !== 'text' || item.alert) return true
    return ![items[at - 1], items[at + 1]].some((other) => other && 'name' in other && other.name === item.text)
  })
}

function textIn({ name }: AxNode): string {
  return typeof name?.value === 'string' ? name.value : ''
}

function property({ properties = [] }: AxNode, name: string): unknown {
  return properties.find((one) => one.name === name)?.value.value
}

function boolean(value: unknown): boolean | undefined {
  return value === undefined ? undefined : value === true || value === 'true'
}

function checkedOf(value: unknown): 'true' | 'false' | 'mixed' {
  return value === 'mixed' ? 'mixed' : value === true || value === 'true' ? 'true' : 'false'
}

function hostOf(tree: Tree | undefined): string {
  const url = URL.parse(tree?.url ?? '')
  return url !== null && /^https?:$/.test(url.protocol) ? url.host : ''
}

function short(value: unknown, longest: number): string {
  const text = (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
    .slice(0, 4 * longest)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text
}
