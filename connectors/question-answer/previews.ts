import type { Preview } from '../kit/declared.ts'

/** Not conclusive: users can also ask in spaces that no read lists. */
export const mySpace: Preview = {
  of: 'space_id',
  read: 'list_my_spaces',
  at: 'spaces',
  id: 'space_id',
  shows: ['name', 'role'],
  matters: ['name', 'role'],
}

/** Followers and users without a role cannot post in a space. */
export const spaceToPostIn: Preview = {
  ...mySpace,
  conclusive: true,
  needs: { role: ['owner', 'admin', 'moderator', 'contributor'] },
}
