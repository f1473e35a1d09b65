//! Section 3.

use spec_model::io_queue::{IoQueue, Item};

#[test]
fn reading_does_not_remove_end_of_queue() {
    let mut queue = IoQueue::from_list([1, 2]);
    assert_eq!(queue.read(), Item::Value(1));
    assert_eq!(queue.read(), Item::Value(2));
    assert_eq!(queue.read(), Item::EndOfQueue);
    assert_eq!(queue.read(), Item::EndOfQueue);
}

#[test]
fn reading_a_number_of_items_excludes_end_of_queue() {
    let mut queue = IoQueue::from_list([1, 2, 3]);
    assert_eq!(queue.read_number(2), [1, 2]);
    assert_eq!(queue.read_number(2), [3]);
    assert_eq!(queue.read_number(2), []);
}

#[test]
#[should_panic(expected = "waits forever")]
fn reading_from_an_empty_queue_would_wait() {
    IoQueue::<u8>::new().read();
}

#[test]
fn peeking_reads_nothing() {
    let mut queue = IoQueue::from_list([1, 2]);
    assert_eq!(queue.peek(1), [1]);
    assert_eq!(queue.peek(3), [1, 2]);
    assert_eq!(queue.to_list(), [1, 2]);
}

#[test]
fn pushing_inserts_before_end_of_queue() {
    let mut queue = IoQueue::from_list([1]);
    queue.push(Item::EndOfQueue);
    queue.push_sequence(&[2, 3]);
    assert_eq!(queue, IoQueue::from_list([1, 2, 3]));

    let mut queue = IoQueue::new();
    queue.push(Item::Value(1));
    queue.push(Item::EndOfQueue);
    assert_eq!(queue.to_list(), [1]);
}

/// The standard's example: "Inserting the sequence of scalar value items `&#128169;`".
#[test]
fn restoring_inserts_at_the_front_in_order() {
    let mut queue = IoQueue::from_list(" hello world".chars());
    queue.restore_sequence(&['&', '#', '1', '2', '8', '1', '6', '9', ';']);
    assert_eq!(queue.peek(1), ['&']);
    assert_eq!(queue.to_list().iter().collect::<String>(), "&#128169; hello world");
}

#[test]
fn restoring_end_of_queue_changes_nothing() {
    let mut queue = IoQueue::from_list([1]);
    queue.restore(Item::EndOfQueue);
    assert_eq!(queue, IoQueue::from_list([1]));
}

#[test]
fn the_position_counts_items_read_and_not_restored() {
    let mut queue = IoQueue::from_list([1, 2, 3]);
    queue.read_number(3);
    assert_eq!(queue.position(), 3);
    queue.restore_sequence(&[2, 3]);
    assert_eq!(queue.position(), 1);
    assert_eq!(queue.read(), Item::Value(2));
    assert_eq!(queue.position(), 2);
}
