/** The keys that belong to what has the focus, for the help: those of every panel, and those of each panel. */

type Keys = readonly (readonly [keys: string, title: string])[];

/** Keys of each panel that has some of its own. */
export const KEYS_OF_PANELS: Readonly<Record<string, Keys>> = {
  Positions: [
    ['X', 'Exit the selected positions, else the chosen one'],
    ['R', 'Reverse the chosen position'],
    ['A', 'Add to the chosen position'],
    ['V', 'Convert the chosen position'],
    ['Space', 'Select a position'],
  ],
  Orders: [
    ['Enter', 'Show the life of the order'],
    ['M', 'Modify the order in its row'],
    ['Delete', 'Cancel the order, or the GTT, at once'],
    ['Space', 'Select an order'],
  ],
  Ticket: [
    ['Up, Down', 'Step a price by ticks, a quantity by lots; with Shift by ten'],
    ['Enter', 'Send the order, once'],
    ['Esc', 'Close the ticket'],
  ],
  Ladder: [
    ['Up, Down, Left, Right', 'Choose a price and a side'],
    ['Enter', 'Fill the ticket; place at once while armed'],
    ['Delete', 'While armed: cancel the own orders there'],
    ['Page Up, Page Down', 'Move the prices'],
    ['Home', 'Centre the last price'],
    ['Esc', 'Disarm'],
  ],
  'Option chain': [
    ['Arrow keys', 'Go to another strike or side'],
    ['B, S', 'Buy or sell the option'],
    ['Shift B, Shift S', 'Put the option into the basket'],
  ],
  Chart: [
    ['Left, Right', 'Go back and forward in time'],
    ['Up, Down', 'Show fewer or more candles'],
    ['Enter', 'Open the menu of a price'],
    ['Up, Down on an order', 'Move its line; Enter modifies, Esc puts it back'],
    ['Delete on an order', 'Cancel it at once'],
  ],
  Watchlists: [
    ['Alt Up, Alt Down', 'Move the instrument in its list'],
    ['Delete', 'Take the instrument out of its list'],
  ],
  Alerts: [['Delete', 'Cancel the chosen alert']],
  Search: [['Alt B, Alt S', 'Open the ticket of the found instrument']],
};

export const KEYS_EVERYWHERE: Keys = [
  ['Up, Down, Page, Home, End', 'Move the chosen row of a table'],
  ['Left, Right', 'Go to the next tab'],
  ['Delete on a tab', 'Take the shown panel away from its place'],
  ['Arrow keys on a handle', 'Resize places; Enter sets the first size'],
  ['Esc', 'Close what is open'],
];
