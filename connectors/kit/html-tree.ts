import { isTag } from 'domhandler'
import type { AnyNode, Document, Element } from 'domhandler'
import { Parser } from 'parse5'
import type { ParserOptions, Token } from 'parse5'
import { adapter } from 'parse5-htmlparser2-tree-adapter'
import type { Htmlparser2TreeAdapterMap } from 'parse5-htmlparser2-tree-adapter'
import { associate, associatedForm, dissociate } from './form-owner.ts'
import { UnknownShape } from './wire.ts'

/** Open elements. Chromium allows 512; reopened formatting elements count here as well. */
export const deepest = 500
/** In characters; twice the limit of a response body. */
const longest = 4 * 1024 * 1024
const mostElements = 300_000
/** Node moves caused by misnested tags, each move counted. */
const mostMoves = 5_000_000

export interface TreeOptions {
  /** Record source positions. */
  readonly located?: boolean
  /** Include the content of `<noscript>` and `<template>`. */
  readonly complete?: boolean
  readonly onTag?: (tag: Token.TagToken) => void
}

/**
 * Parses HTML into the tree of a browser with scripting; element and attribute names in lower case,
 * SVG's too. Template content is left out. Source that begins inside a table is parsed as a
 * fragment. Throws `UnknownShape` above a limit.
 */
export function htmlTree(source: string, { located = false, complete = false, onTag }: TreeOptions = {}): Document {
  if (source.length > longest) throw new UnknownShape('a page that is too long')
  const options: ParserOptions<Htmlparser2TreeAdapterMap> = {
    treeAdapter: boundedAdapter(complete),
    sourceCodeLocationInfo: located,
    scriptingEnabled: !complete,
  }
  const isPart = beginsInTable.test(source)
  const parser = isPart ? TagParser.getFragmentParser(null, options) : new TagParser(options)
  if (parser instanceof TagParser) parser.onTag = onTag
  parser.tokenizer.write(source, true)
  return isPart ? parser.getFragment() : parser.document
}

/** Browsers drop these tags outside a table; libraries that insert fragments keep them. */
const beginsInTable = /^(?:\s|<!--.*?-->)*<(?:caption|col|colgroup|tbody|td|tfoot|th|thead|tr)[\s/>]/is

class TagParser extends Parser<Htmlparser2TreeAdapterMap> {
  onTag: TreeOptions['onTag']

  override onStartTag(token: Token.TagToken): void {
    this.onTag?.(token)
    super.onStartTag(token)
  }
}

/** Listed form elements. Source: https://html.spec.whatwg.org/#category-listed */
const listed = new Set(['button', 'fieldset', 'input', 'object', 'output', 'select', 'textarea'])
/** The parser's own name of the element, where the tree's name differs. */
type Named = Element & { adjustedName?: string }

function boundedAdapter(complete: boolean): typeof adapter {
  let open = 0
  let count = 0
  let moves = 0
  let isAnyAssociated = false
  /** Source: https://html.spec.whatwg.org/#nodes-are-removed */
  const leaveForms = (node: AnyNode, moved: AnyNode): void => {
    if (++moves > mostMoves) throw new UnknownShape('misnested tags')
    const form = isTag(node) ? associatedForm(node) : undefined
    if (isTag(node) && form !== undefined && !isWithin(form, moved)) dissociate(node)
    if ('children' in node) for (const child of node.children) leaveForms(child, moved)
  }
  const contents = new WeakMap<Element, Document>()
  return {
    ...adapter,
    createElement(name, namespace, attrs) {
      if (++count > mostElements) throw new UnknownShape('a page of too many elements')
      const element = adapter.createElement(name.toLowerCase(), namespace, [])
      for (const { prefix, name: attribute, value } of attrs)
        element.attribs[(prefix ? `${prefix}:${attribute}` : attribute).toLowerCase()] = value
      if (element.name !== name) (element as Named).adjustedName = name
      return element
    },
    getTagName: (element: Named) => element.adjustedName ?? element.name,
    onItemPush() {
      if (++open > deepest) throw new UnknownShape('nested too deeply')
    },
    onItemPop() {
      open--
    },
    onElementCreated(element, { formElement, isInTemplate }) {
      if (formElement === null || isInTemplate || !listed.has(element.name)) return
      if (element.attribs['form'] !== undefined) return
      isAnyAssociated = true
      associate(element, formElement)
    },
    detachNode(node) {
      if (isAnyAssociated && 'children' in node) leaveForms(node, node)
      else if (isAnyAssociated && ++moves > mostMoves) throw new UnknownShape('misnested tags')
      adapter.detachNode(node)
    },
    setTemplateContent(template, content) {
      contents.set(template, content)
      if (complete) adapter.appendChild(template, content)
    },
    getTemplateContent: (template) => contents.get(template) ?? adapter.createDocumentFragment(),
  }
}

function isWithin(element: Element, outer: AnyNode): boolean {
  let at: AnyNode | null = element
  while (at !== null && at !== outer) at = at.parent
  return at !== null
}
