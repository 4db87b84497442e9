import type { Preview } from '../kit/declared.ts'

/** A question can be asked in other spaces, too, of which no read tells. */
export const mySpace: Preview = {
  of: 'space_id',
  read: 'list_my_spaces',
  at: 'spaces',
  id: 'space_id',
  shows: ['name', 'role'],
  matters: ['name', 'role'],
}

/** Who follows a space, or has no role in it, cannot post there. */
export const spaceToPostIn: Preview = {
  ...mySpace,
  conclusive: true,
  needs: { role: ['owner', 'admin', 'moderator', 'contributor'] },
}
