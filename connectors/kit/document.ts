import type { Document } from 'domhandler'
import { DomHandler } from 'htmlparser2'
import { deepest, parse } from './html-events.ts'
import { sawPage } from './watching.ts'
import { UnknownShape } from './wire.ts'

/** The tree of HTML source: names of elements and attributes in lower case, entities decoded. */
export function parsed(page: string): Document {
  const tree = new Tree()
  parse(page, tree)
  tree.onend()
  sawPage(page, tree.root)
  return tree.root
}

class Tree extends DomHandler {
  override onopentag(name: string, attributes: Record<string, string>): void {
    // The root is on the stack, too.
    if (this.tagStack.length > deepest) throw new UnknownShape('nested too deeply')
    super.onopentag(name, attributes)
  }
}
