/** Where the history of a branch leaves that of its parent. */
export interface BranchPoint {
  /** The name of the branch: that of its data folder, without the path. */
  readonly name: string;
  /** The name of the parent's data folder, likewise. */
  readonly parent: string;
  /** Names the parent's journal: the chain hash of the group with which its own history began, in hex. */
  readonly journal: string;
  /** The last record that both have. */
  readonly record: number;
}

/** The history of a branch has left that of its parent. */
export interface BranchBegun extends BranchPoint {
  readonly type: 'BranchBegun';
}
