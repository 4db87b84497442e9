import type { DatabaseSync } from 'node:sqlite'
import { all, number, one, text, type Row } from '../platform/rows.ts'
import { Refusal } from '../platform/types.ts'
import { invalid } from './params.ts'

/** What a salon consists of: branches, menu, team, and the words that it has chosen itself. */

export interface Branch {
  id: string
  title: string
  zone: string
}

export interface MenuItem {
  id: string
  label: string
  section: string
  minutes: number
  price: number
  branches: string[]
}

/** Every day the same, in minutes since midnight at the branch. */
export interface Shift {
  branch: string
  from: number
  to: number
}

export interface Stylist {
  id: string
  name: string
  shifts: Shift[]
  items: string[]
}

export interface Word {
  id: string
  label: string
}

function list<T>(row: Row, name: string): T[] {
  const value: unknown = JSON.parse(text(row, name))
  return Array.isArray(value) ? (value as T[]) : []
}

export function branchesOf(db: DatabaseSync, account: string): Branch[] {
  return all(db, 'SELECT * FROM branches WHERE account = ? ORDER BY n', account).map((row) => ({
    id: text(row, 'id'),
    title: text(row, 'title'),
    zone: text(row, 'zone'),
  }))
}

export function menuOf(db: DatabaseSync, account: string): MenuItem[] {
  return all(db, 'SELECT * FROM menu WHERE account = ? ORDER BY n', account).map((row) => ({
    id: text(row, 'id'),
    label: text(row, 'label'),
    section: text(row, 'section'),
    minutes: number(row, 'minutes'),
    price: number(row, 'price'),
    branches: list<string>(row, 'branches'),
  }))
}

function toStylist(row: Row): Stylist {
  return {
    id: text(row, 'id'),
    name: text(row, 'name'),
    shifts: list<Shift>(row, 'shifts'),
    items: list<string>(row, 'items'),
  }
}

export function stylistsOf(db: DatabaseSync, account: string): Stylist[] {
  return all(db, 'SELECT * FROM stylists WHERE account = ? ORDER BY n', account).map(toStylist)
}

export function wordsOf(db: DatabaseSync, account: string, kind: 'state' | 'reason'): Word[] {
  const rows = all(db, 'SELECT id, label FROM words WHERE account = ? AND kind = ? ORDER BY n', account, kind)
  return rows.map((row) => ({ id: text(row, 'id'), label: text(row, 'label') }))
}

/** For ids in paths, which do not exist; ids in parameters and bodies are refused with 422 instead. */
export function findStylist(db: DatabaseSync, account: string, id: string): Stylist {
  const row = one(db, 'SELECT * FROM stylists WHERE id = ? AND account = ?', id, account)
  if (!row) throw new Refusal(404, 'STYLIST_NOT_FOUND', 'Nobody in your team has this id.')
  return toStylist(row)
}

/** The branch that a parameter or field names, if it names one. */
export function chosenBranch(db: DatabaseSync, account: string, id: unknown): string | undefined {
  if (id === undefined || id === null || id === '') return undefined
  const branch = branchesOf(db, account).find((known) => known.id === id)
  if (!branch) throw invalid('branch', 'You have no branch with this id.', 'BRANCH_UNKNOWN')
  return branch.id
}

export function chosenStylist(db: DatabaseSync, account: string, id: unknown): Stylist | undefined {
  if (id === undefined || id === null || id === '') return undefined
  const stylist = stylistsOf(db, account).find((known) => known.id === id)
  if (!stylist) throw invalid('stylist', 'Nobody in your team has this id.', 'STYLIST_UNKNOWN')
  return stylist
}

/** One to ten things from the menu, in the order given; one may come twice. */
export function chosenItems(db: DatabaseSync, account: string, ids: readonly string[]): MenuItem[] {
  if (ids.length === 0) throw invalid('menu_items', 'Choose something from the menu.', 'ITEMS_REQUIRED')
  if (ids.length > 10) throw invalid('menu_items', 'Ten things from the menu at most.', 'LIST_TOO_LONG')
  const menu = menuOf(db, account)
  return ids.map((id) => {
    const item = menu.find((known) => known.id === id)
    if (!item) throw invalid('menu_items', `There is no "${id}" on your menu.`, 'ITEM_UNKNOWN')
    return item
  })
}
