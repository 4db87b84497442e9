import { isTag } from 'domhandler'
import type { Element } from 'domhandler'

/**
 * Whether a browser hides an element without a stylesheet, by its own or an ancestor's `hidden`,
 * inline `display: none` or `visibility`, closed `dialog` or popover, `<template>` or `<noscript>`.
 */
export function isHidden(element: Element): boolean {
  let visibility: string | undefined
  let one: Element | null = element
  while (one !== null) {
    if (isLeftOut(one)) return true
    // The innermost value wins.
    visibility ??= inlineStyle(one, 'visibility')
    one = one.parent !== null && isTag(one.parent) ? one.parent : null
  }
  return visibility === 'hidden' || visibility === 'collapse'
}

function isLeftOut(element: Element): boolean {
  const { name, attribs } = element
  const display = inlineStyle(element, 'display')
  // An inline `display` overrides the attributes below.
  if (display !== undefined) return display === 'none'
  const isClosed = (name === 'dialog' && attribs['open'] === undefined) || attribs['popover'] !== undefined
  return attribs['hidden'] !== undefined || isClosed || name === 'template' || name === 'noscript'
}

/** The last declaration wins, important ones first. */
function inlineStyle({ attribs }: Element, property: string): string | undefined {
  const declarations = (attribs['style'] ?? '')
    .replaceAll(/\/\*.*?(?:\*\/|$)/gs, '')
    .split(';')
    .map((one) => /^\s*([\w-]+)\s*:\s*([\w -]+?)\s*(!\s*important)?\s*$/i.exec(one))
    .filter((one) => one?.[1]?.toLowerCase() === property)
  const important = declarations.findLast((one) => one?.[3] !== undefined)
  return (important ?? declarations.at(-1))?.[2]?.toLowerCase()
}
